/** What the caller should do after an error. */
export type ErrorHandling =
  /** correct the request */
  | 'correct'
  /** send the same request again, now or later */
  | 'retry'
  /** wait as long as Retry-After says */
  | 'wait'
  /** log in (again) */
  | 'login'
  /** buy, earn or redeem something */
  | 'upgrade'
  /** go back to the start page */
  | 'home'
  /** ask the operator */
  | 'contact';

interface ErrorRule {
  readonly status: number;
  readonly handling: ErrorHandling;
  /** `file`: the uploaded file itself caused the error, so that sending it again fails in the same way. */
  readonly concerns?: 'file';
}

const rule = (status: number, handling: ErrorHandling): ErrorRule => ({ status, handling });
const fileRule = (status: number): ErrorRule => ({ status, handling: 'correct', concerns: 'file' });

/**
 * The table of errors: code → HTTP status → what to do. The texts are in `texts/<language>/errors.json`. 401 only means
 * "no valid session" (a wrong password is 422); another member's object is 404. The spellings of the specification's
 * section 8 are kept.
 */
export const ERRORS = {
  // transport
  invalidInput: rule(400, 'correct'),
  tokenExpired: rule(401, 'login'),
  notAllowed: rule(403, 'contact'),
  crossSiteWrite: rule(403, 'correct'),
  notFound: rule(404, 'home'),
  methodNotAllowed: rule(405, 'correct'),
  bodyTooLarge: rule(413, 'correct'),
  notJson: rule(415, 'correct'),
  tooManyRequests: rule(429, 'wait'),
  systemBusy: rule(503, 'retry'),
  maintenance: rule(503, 'wait'),
  internal: rule(500, 'retry'),
  /** The server's disk, bucket or database has no room; the caller's own limit is `storageLimitReached`. */
  serverFull: rule(507, 'retry'),
  networkError: rule(0, 'retry'),
  // Told by the client, when something between it and the server answers instead.
  tooLargeForProxy: rule(413, 'correct'),
  serverUnavailable: rule(503, 'retry'),
  unexpectedAnswer: rule(502, 'retry'),

  // accounts
  loginFailed: rule(422, 'correct'),
  passwordsDoNotMatch: rule(422, 'correct'),
  passwordTooWeak: rule(422, 'correct'),
  passwordTooCommon: rule(422, 'correct'),
  passwordNamesOwner: rule(422, 'correct'),
  invalidEmail: rule(422, 'correct'),
  agreementMissing: rule(422, 'correct'),
  incorrectVerificationCode: rule(422, 'correct'),
  expiredVerificationCode: rule(410, 'correct'),
  emailSendingFailed: rule(502, 'retry'),
  changePermissionExpired: rule(410, 'correct'),
  updatePasswordFailed: rule(422, 'correct'),
  updateUsernameFailed: rule(500, 'retry'),
  updateUserDataFailed: rule(500, 'retry'),
  passwordIncorrect: rule(422, 'correct'),
  captchaFailed: rule(422, 'retry'),
  pinCodeIncorrect: rule(422, 'correct'),
  alreadyVip: rule(409, 'home'),
  sessionNotFound: rule(404, 'home'),
  accountRestricted: rule(403, 'contact'),
  /** An operator has switched it off, as in the five that follow. */
  signUpClosed: rule(403, 'home'),
  guestsClosed: rule(403, 'home'),
  sharesClosed: rule(403, 'home'),
  storeClosed: rule(403, 'home'),
  liveClosed: rule(403, 'home'),
  friendPicturesClosed: rule(403, 'home'),
  guestUploadLimit: rule(403, 'upgrade'),

  // points, plans, orders
  notEnoughPoints: rule(402, 'upgrade'),
  notEnoughFreePoints: rule(402, 'upgrade'),
  adsLimitReached: rule(409, 'wait'),
  adTooSoon: rule(409, 'wait'),
  adNotFound: rule(404, 'correct'),
  adNotCounted: rule(409, 'correct'),
  adNotWatched: rule(409, 'correct'),
  alreadySubscribed: rule(409, 'home'),
  subscribeFailed: rule(502, 'retry'),
  unsubscribeFailed: rule(502, 'retry'),
  transactionFailed: rule(402, 'retry'),
  noProductType: rule(422, 'correct'),
  not_member_please_buy: rule(403, 'upgrade'),
  noOrder: rule(404, 'home'),
  albumInProduct: rule(409, 'correct'),
  albumOfMembers: rule(409, 'correct'),
  storeNotFound: rule(404, 'home'),
  productNotFound: rule(404, 'home'),
  noOffer: rule(404, 'home'),
  noSubscription: rule(404, 'home'),
  /** A payment for the same thing is not decided yet. */
  paymentPending: rule(409, 'wait'),
  paymentMethodUnavailable: rule(409, 'correct'),
  paymentNotStarted: rule(502, 'retry'),
  paymentNotFound: rule(404, 'home'),
  paymentNotRefundable: rule(409, 'correct'),
  paymentNotClosable: rule(409, 'correct'),
  /** It was asked about a payment by an operator. */
  providerSilent: rule(502, 'retry'),
  /** Value: `issue`, the provider's code. */
  refundRefused: rule(409, 'correct'),

  // uploads
  noImageSelected: rule(400, 'correct'),
  selectFile: rule(400, 'correct'),
  fileEmpty: fileRule(422),
  upload_up_to_limit: rule(413, 'correct'),
  invalidExtension: fileRule(415),
  not_VIP: rule(403, 'upgrade'),
  no_device_registered: rule(409, 'contact'),
  unknownDeviceType: rule(422, 'correct'),
  unknownEffect: rule(422, 'correct'),
  uploadLinkInvalid: rule(403, 'retry'),
  uploadLinkExpired: rule(410, 'retry'),
  uploadTypeMismatch: rule(415, 'correct'),
  uploadSizeMismatch: rule(413, 'retry'),
  uploadMissing: rule(409, 'retry'),
  uploadBroken: rule(400, 'retry'),
  uploadReplaced: rule(409, 'correct'),
  uploadImageFailed: rule(502, 'retry'),
  uploadVideoFailed: rule(502, 'retry'),
  fileUploadFailed: rule(502, 'retry'),
  errorUploadingFile: rule(502, 'retry'),
  statusChangingFailed: rule(502, 'retry'),
  UploadTimeOut: rule(408, 'retry'),
  storageLimitReached: rule(507, 'correct'),
  tooManyPendingUploads: rule(409, 'wait'),
  readerError: rule(422, 'correct'),
  /** More files were chosen than the upload dialog takes at once. */
  tooManyFiles: rule(422, 'correct'),

  // pictures and conversions; also the failure codes of a media with status 2
  mediaNotFound: rule(404, 'home'),
  albumNotFound: rule(404, 'home'),
  tooManyAlbums: rule(409, 'correct'),
  notAPicture: fileRule(415),
  pictureDamaged: fileRule(422),
  pictureTooLarge: fileRule(422),
  pictureTooSmall: fileRule(422),
  cropOutsidePicture: fileRule(422),
  cropTooSmall: fileRule(422),
  notAFilm: fileRule(415),
  filmAsPicture: fileRule(415),
  pictureAsFilm: fileRule(415),
  filmDamaged: fileRule(422),
  filmWithoutPictures: fileRule(422),
  filmTooLarge: fileRule(422),
  filmTooSmall: fileRule(422),
  filmTooLong: fileRule(422),
  calibrationMissing: rule(422, 'correct'),
  calibrationInvalid: rule(422, 'correct'),
  /** Values: `display` that the calibration is of, and `device`. */
  calibrationOfOther: rule(422, 'correct'),
  conversionCancelled: rule(409, 'retry'),
  conversionTimedOut: rule(504, 'retry'),
  conversionFailed: rule(500, 'retry'),
  /** Trouble on the server's side, of a conversion that goes on. */
  conversionDelayed: rule(503, 'wait'),
  /** Trouble on the server's side that did not end. */
  conversionInterrupted: rule(503, 'retry'),
  obj_havent_transformed_completed: rule(409, 'wait'),
  formatNotAvailable: rule(409, 'correct'),
  formatBeingMade: rule(409, 'wait'),
  nothingToUndo: rule(409, 'correct'),
  depthNotEditable: rule(409, 'correct'),
  depthMapUnfit: rule(422, 'correct'),
  depthMapTooLarge: rule(413, 'correct'),
  tooManyStrokes: rule(422, 'correct'),
  linkInvalid: rule(403, 'retry'),
  linkExpired: rule(410, 'retry'),

  // public links
  shareNotFound: rule(404, 'home'),
  shareEndPassed: rule(422, 'correct'),

  // frames; the first four are codes of RFC 8628, which requires status 400
  authorization_pending: rule(400, 'wait'),
  slow_down: rule(400, 'wait'),
  access_denied: rule(400, 'home'),
  expired_token: rule(400, 'home'),
  deviceNotFound: rule(404, 'correct'),
  pairingCodeExpired: rule(410, 'correct'),
  frameNotFound: rule(404, 'home'),
  tooManyFrames: rule(409, 'correct'),
  friendNotFound: rule(404, 'home'),
  notificationNotFound: rule(404, 'home'),
  friendIsYourself: rule(422, 'correct'),
  tooManyFriends: rule(409, 'correct'),
  /** Of the links with which others send pictures to a member; those of one file are `uploadLinkInvalid`. */
  uploadLinkNotFound: rule(404, 'home'),
  uploadLinkEnded: rule(410, 'home'),
  uploadLinkFull: rule(409, 'home'),
  /** Its owner has too few points for what the senders would send. */
  uploadLinkPaused: rule(409, 'home'),
  tooManyUploadLinks: rule(409, 'correct'),
  frameItemNotFound: rule(404, 'correct'),
  frameFull: rule(409, 'correct'),

  // live events
  liveEventNotFound: rule(404, 'home'),
  /** It has not begun, or is over. */
  liveEventNotRunning: rule(409, 'home'),
  /** Watching is allowed in other countries only. */
  liveAbroad: rule(403, 'home'),
  liveCountryUnknown: rule(403, 'contact'),
  ageNotConfirmed: rule(403, 'correct'),
  underAge: rule(403, 'home'),
  liveSessionNotFound: rule(404, 'home'),
  /** The account watches on another screen. */
  liveSessionReplaced: rule(409, 'home'),
  liveSessionEnded: rule(403, 'retry'),
  liveLinkInvalid: rule(403, 'retry'),
  liveLinkExpired: rule(403, 'retry'),
  liveFileNotFound: rule(404, 'retry'),
  /** The broadcaster does not answer as it should. */
  liveSourceFailed: rule(502, 'retry'),
  liveSourceRefused: rule(422, 'correct'),

  // administration
  userNotFound: rule(404, 'home'),
  batchNotFound: rule(404, 'home'),
  notYourself: rule(409, 'correct'),
  adminProtected: rule(409, 'correct'),
  accountNotReady: rule(409, 'correct'),
  planNotFound: rule(404, 'home'),
  offerNotFound: rule(404, 'home'),
  productNotReady: rule(409, 'correct'),
  entryNotFound: rule(404, 'home'),
  tooManyEntries: rule(409, 'correct'),
  legalTextInForce: rule(409, 'correct'),
  /** Another operator saved the same thing first. */
  changedMeanwhile: rule(409, 'correct'),

  featureNotAvailableYet: rule(403, 'wait'),
} as const satisfies Record<string, ErrorRule>;

export type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** An error with a code of the table. `details` are lines for developers (paths, limits), never secrets. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly string[];
  /** Seconds to wait, for errors handled by `wait`. */
  readonly retryAfter: number | undefined;
  /** Names in the error's sentence. */
  readonly values: Readonly<Record<string, string>>;
  constructor(
    code: ErrorCode,
    details: readonly string[] = [],
    options: { retryAfter?: number; values?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
    this.retryAfter = options.retryAfter;
    this.values = options.values ?? {};
  }
}
