/**
 * Limits of the specification's section 9 and of related rules, shared by web and server. Names ending in `Ms` are
 * milliseconds. Sizes are bytes or pixels.
 */
export const LIMITS = {
  /** 50 × 1024 × 1024, inclusive: exactly this many bytes are accepted, one more is rejected. */
  uploadBytes: 52_428_800,
  /**
   * Maximum length of name-like fields (member, album, device, friend note) in graphemes, the longest grapheme in UTF-16
   * code units (the longest emoji have 19), and what both allow together.
   */
  textLength: 30,
  graphemeUnits: 20,
  textUnits: 600,
  emailLength: 254,
  phoneLength: 40,
  /** Maximum length of uploaded file names; longer ones are truncated before the extension. */
  fileNameLength: 255,
  password: { min: 8, max: 128 },
  /** Name of a device type, edited by an operator. */
  deviceTypeName: 60,
  /** Columns or rows of a quilt at most, and the sides of its file in pixels. */
  quilt: { grid: 50, least: 256, most: 16_384 },
  /** Members listed as those who store most. */
  storageRows: 50,

  /** An ad view is refused if adsTimes is greater than this. */
  adsTimes: 4,
  /**
   * Rewarded ads: duration of our own ones and of Google's at least, tolerance of each quartile, pause after a reward, how
   * long an ad may take, and how long its reward can be claimed.
   */
  ads: {
    houseMs: 15_000,
    gptMs: 5000,
    toleranceMs: 500,
    pauseSeconds: 60,
    watchMinutes: 10,
    claimMinutes: 5,
    reward: 1,
  },
  /** Points of one price or one correction at most. */
  points: 1_000_000,

  /** A smaller crop of a picture is scaled up to `minPx`, a larger one down to `maxPx`; below `leastPx` it is refused. */
  crop: {
    leastPx: 64,
    minPx: 256,
    maxPx: 4096,
    ratio: [3, 4],
    areaPercent: 100,
    maxZoom: 15,
    /** Degrees by which a picture may be straightened, in either direction. */
    maxTilt: 45,
    /** Distance in pixels from the picture at which a crop with a border may begin. */
    farthestPx: 1_000_000,
  },
  coverWidthPx: 500,
  /** Longer side of the pictures from which browsers draw depth. */
  previewPx: 1280,
  /** The extensions are those of the specification; `FILE_TYPES` has all that are accepted. */
  picture: { maxPixels: 100_000_000, maxSidePx: 32_768, extensions: ['png', 'jpeg', 'jpg'] },
  video: { extensions: ['avi', 'mp4', 'mov', 'mkv'], minCropPx: 64 },
  /** The small copy of a picture whose depth is shown before it is uploaded. */
  depthPreview: { bytes: 2_097_152, longestPx: 1024 },
  /** A member's own depth map: bytes, pixels and tolerated deviation of its aspect ratio from the crop's. */
  depthMap: { bytes: 20_971_520, maxPixels: 50_000_000, aspectPercent: 2 },
  /**
   * Characters of names, of descriptions and of lines in the shop, lines per list, pictures that a product shows before it
   * is bought, sides of their previews in pixels, the longest period in
   * months, and the longest video that a plan can allow in seconds.
   */
  shop: {
    titleLength: 80,
    contentLength: 2000,
    contentLines: 12,
    shownMedia: 24,
    teaser: { colourPx: 640, depthPx: 160 },
    months: 36,
    videoSeconds: 4 * 60 * 60,
  },
  /** Questions, places of one kind, and characters of an answer or a note, which are several lines, and of a legal text. */
  pages: { entries: 200, textLength: 4000, legalLength: 60_000 },
  /** Albums per member. */
  albums: { count: 200 },
  /** Pictures and videos per call that deletes, restores or converts many, or changes an album. */
  mediaAtOnce: 500,
  /** Pictures and videos in one archive. Their ids are in its URL. */
  zipAtOnce: 100,
  /** Characters of a search by name. */
  searchLength: 100,
  /**
   * Friends and open requests per member, requests per day, invitations to one address per day, and days for which an
   * unanswered request is kept and a declined one keeps further requests away.
   */
  friends: { count: 200, requestsPerDay: 20, invitationsPerDay: 3, requestDays: 90 },
  /** Upload links per member, their longest life in days, and pictures per link. */
  uploadLinks: { count: 50, days: 90, uploads: 500 },
  /** Lifetime of a pairing code, polling interval, and wrong codes that a member may enter per hour. */
  pairing: { codeMinutes: 30, pollSeconds: 5, wrongPerHour: 5 },
  /**
   * Frames per member, and how long after a heartbeat (one per minute) a frame counts as online; items per frame, those of
   * one friend, and pictures and videos that a frame plays at most, those of its albums included; lifetime of its links.
   */
  frames: {
    count: 50,
    onlineSeconds: 150,
    items: 500,
    itemsOfFriend: 100,
    playlist: 2000,
    linkHours: 12,
    intervalSeconds: { min: 5, max: 86_400 },
  },
  /** Characters of a calibration; a `visual.json` has about two thousand. */
  calibrationCharacters: 65_536,
  /** Brush strokes of one depth map, and the total of their points. */
  strokes: { count: 200, points: 2000 },
  /** Undo steps of one picture or video. */
  revisions: 20,
  /** Lifetime of an upload link, in addition to the time that its file takes at `uploadLinkBytesPerSecond`. */
  uploadLinkMinutes: 15,
  uploadLinkBytesPerSecond: 20_000,
  downloadLinkMinutes: 15,
  /** An upload ends after this time without progress; there is no limit for one that moves. */
  uploadTimeoutMinutes: 5,
  /** Slowest sender that counts as moving, on average over `uploadTimeoutMinutes`. */
  uploadBytesPerMinute: 65_536,
  /** Size of all parts of an upload but the last: also the largest body that nginx accepts by default. */
  uploadPartBytes: 1_048_576,
  /** Pending uploads per member at one time. */
  pendingUploads: 20,
  /** Files that the upload dialog takes at once. */
  filesAtOnce: 50,
  guest: { uploads: 10, days: 7 },

  sessionDays: 30,
  languageCookieDays: 30,
  emailLinkHours: 24,
  resend: { perMinute: 1, perDay: 5 },
  account: { graceDays: 14, exportMinutes: 15 },
  pinCodes: { perBatch: 1000 },
  announcementLength: 1000,

  qr: { timeoutMs: 5000, sizePx: 350 },
  /** Notifications marked as read per call. */
  readNotificationsAtOnce: 500,

  orderDateDays: { day: 1, week: 7, month: 31, season: 93 },
  /** Default time zone of a member. */
  timeZone: 'Asia/Taipei',
  pageSize: 20,
  paypalCurrency: 'USD',
  planIds: { nonMember: 1, normal: 2, prime: 3, pro: 4 },
  payment: { cardRouteCode: 1, tokenRouteCode: 2, providerApiVersion: 2 },
  paymentResult: { success: 10, failure: 11, orderCreated: 12 },
  /** Speeds of the terms in Mbps, and bytes of one answer of the speed probe at most. */
  stream: { minMbps: 10, recommendedMbps: 16, probeBytes: 4_194_304 },
  /**
   * Live viewing: angles per event, countries of the settings, the earliest year of birth that is believed, seconds between
   * heartbeats, seconds without one after which a session lapses, lifetime of a link to a segment, and hours until another
   * year of birth is accepted after one that was too young.
   */
  live: {
    angles: 9,
    countries: 250,
    earliestBirthYear: 1900,
    heartbeatSeconds: 15,
    lapseSeconds: 45,
    segmentLinkSeconds: 60,
    ageRetryHours: 24,
  },
  minimumAge: 18,
  maintenanceExample: { from: '2024-10-15T00:00:00+08:00', to: '2024-10-16T10:00:00+08:00' },
} as const;

/** media_type on the wire. */
export const MEDIA_TYPE = { video: 0, picture: 1 } as const;
/** Media status on the wire, pictures and videos alike. */
export const MEDIA_STATUS = { processing: 0, finished: 1, unable: 2, deleted: 3 } as const;
/** Order type on the wire. */
export const ORDER_TYPE = { uploaded: 0, onSite: 1, purchased: 2 } as const;
/** Tabs of the order list, and the order types that each shows. */
export const ORDER_CATEGORIES = { all: [0, 1, 2], upload: [0, 1], purchase_details: [2] } as const;

/**
 * The only list of languages, in the order in which they are offered. Texts are in `texts/<code>/`; `name` and `short`
 * are in the language itself; `htmlLang` is the tag for documents, dates and numbers.
 */
export const LANGUAGES = [
  { code: 'zh', name: '繁體中文', short: '中', htmlLang: 'zh-Hant-TW' },
  { code: 'en', name: 'English', short: 'EN', htmlLang: 'en' },
  { code: 'ja', name: '日本語', short: '日', htmlLang: 'ja' },
] as const;
export type Language = (typeof LANGUAGES)[number]['code'];
export const FALLBACK_LANGUAGE = 'en' satisfies Language;
/** Language of a first visit whose browser asks for none of ours. */
export const FIRST_LANGUAGE: Language = 'zh';

/** Returns `value` if it is a supported language, else null. */
export function asLanguage(value: string | null | undefined): Language | null {
  return LANGUAGES.find(({ code }) => code === value)?.code ?? null;
}

/** Returns the script of a language tag by CLDR (`zh-HK` → `Hant`); undefined for what is no tag. */
function scriptOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().script;
  } catch {
    return undefined;
  }
}

/**
 * Returns the first of a user's languages that is one of ours; null if none is. The script must be ours too: zh-TW,
 * zh-HK and zh-Hant are Traditional Chinese, zh-CN is not. A bare language (`zh`) matches without a script.
 */
export function preferredLanguage(tags: readonly string[]): Language | null {
  for (const tag of tags) {
    const [language = '', ...rest] = tag.toLowerCase().split('-');
    const known = asLanguage(language);
    if (known && (rest.length === 0 || scriptOf(tag) === scriptOf(htmlLangOf(known)))) return known;
  }
  return null;
}

/**
 * Chooses the language: always English for guests; otherwise the `lang` parameter, the cookie, the first of the
 * browser's languages that is ours, or Chinese.
 */
export function chooseLanguage(from: {
  readonly guest: boolean;
  readonly parameter: string | null | undefined;
  readonly cookie: string | null | undefined;
  /** The browser's languages, best first; none where the preset `literal` takes Chinese at once. */
  readonly browser: readonly string[];
}): Language {
  if (from.guest) return 'en';
  return asLanguage(from.parameter) ?? asLanguage(from.cookie) ?? preferredLanguage(from.browser) ?? FIRST_LANGUAGE;
}

export function htmlLangOf(language: Language): string {
  return LANGUAGES.find(({ code }) => code === language)?.htmlLang ?? FALLBACK_LANGUAGE;
}

/** Returns an object with one value per language. */
export function byLanguage<T>(value: (language: Language) => T): Record<Language, T> {
  return Object.fromEntries(LANGUAGES.map(({ code }) => [code, value(code)])) as Record<Language, T>;
}
