import {
  type AdSession,
  type AdSettings,
  API_BASE,
  ApiError,
  api,
  fillPath,
  HOUSE_ADS,
  type HouseAd,
  type InputOf,
  type Language,
  LIMITS,
  type OutputOf,
} from '@framelift/contract';
import { textsIn } from '@framelift/texts/node';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { dayInTaipei, MINUTE_MS, nextDayInTaipei } from '../../platform/time.ts';
import { changePoints, notEnough } from '../points/points.ts';
import { findUserForUpdate, type UserRow, updateUser } from '../user/user.sql.ts';
import { adsToday, getOwnRow } from '../user/user.ts';
import { type AdSessionRow, findAdSession, replaceAdSession, updateAdSession } from './ad.sql.ts';
import { readAdSettings } from './ad-settings.ts';
import { drawAd } from './drawings.ts';

const GPT = 'gpt';
const HOUSE = 'house:';
/** Where each of our ads leads. */
const PAGES: Readonly<Record<HouseAd, string>> = {
  depth: '/upload',
  frame: '/menu/frameSetting',
  friends: '/member/addFriend',
};
const { houseMs, gptMs, toleranceMs, pauseSeconds, watchMinutes, claimMinutes } = LIMITS.ads;

/** Returns what an ad gives the caller, and when they may start the next one. */
export async function getAds(context: Context, actor: Actor): Promise<OutputOf<typeof api.ads>> {
  const { db, clock } = context;
  const now = clock.now();
  const settings = await readAdSettings(db);
  const user = await getOwnRow(context, actor);
  const next = nextStart(settings, user, await findAdSession(db, user.id), now);
  return {
    offered: settings.provider !== 'off',
    reward: rewardOf(settings.reward),
    left: Math.max(0, settings.limit + 1 - adsToday(user, now)),
    next_at: next?.at.toISOString() ?? null,
  };
}

/**
 * Starts an ad, in the place of one that was not watched to its end: a member watches one at a time, whatever the number
 * of tabs.
 * @throws ApiError `adsLimitReached`, `adTooSoon`, `featureNotAvailableYet`
 */
export async function startAd(context: Context, actor: Actor): Promise<AdSession> {
  return context.db.transaction(async (tx) => {
    const user = await lockUser(tx, actor);
    const now = context.clock.now();
    const settings = await readAdSettings(tx);
    if (settings.provider === 'off') throw new ApiError('featureNotAvailableYet');
    const wait = nextStart(settings, user, await findAdSession(tx, user.id), now);
    if (wait) throw new ApiError(wait.code, [], { retryAfter: Math.ceil((wait.at.getTime() - now.getTime()) / 1000) });
    const slug = HOUSE_ADS[adsToday(user, now) % HOUSE_ADS.length];
    const ad = settings.provider === 'gpt' ? GPT : `${HOUSE}${slug}`;
    const row = { userId: user.id, id: context.ids.uuid(), ad, amount: settings.reward, createdAt: now };
    await replaceAdSession(tx, row);
    return presentSession(context, row, settings, actor.language);
  });
}

/** Returns why and until when the next ad must wait; null if it can be started now. */
function nextStart(
  { limit }: AdSettings,
  user: UserRow,
  last: AdSessionRow | undefined,
  now: Date,
): { readonly code: 'adsLimitReached' | 'adTooSoon'; readonly at: Date } | null {
  if (adsToday(user, now) > limit) return { code: 'adsLimitReached', at: nextDayInTaipei(now) };
  const at = new Date((last?.grantedAt?.getTime() ?? 0) + pauseSeconds * 1000);
  return at > now ? { code: 'adTooSoon', at } : null;
}

/**
 * Records a report of the ad that the caller watches. A refused one changes nothing, so that one that came a moment too
 * early can be repeated, and so can one whose answer was lost.
 * @throws ApiError `adNotFound`; `adNotCounted` for a report out of order, or too early by the server's clock
 */
export async function reportAdProgress(
  context: Context,
  actor: Actor,
  { id, nonce, quartile, visible }: InputOf<typeof api.adProgress> & { readonly id: string },
): Promise<OutputOf<typeof api.adProgress>> {
  return context.db.transaction(async (tx) => {
    const { id: userId } = await lockUser(tx, actor);
    const now = context.clock.now();
    const row = await findAdSession(tx, userId);
    if (row?.id !== id || isPast(row.createdAt, watchMinutes, now)) throw new ApiError('adNotFound');
    const isStep = (step: number) => context.capabilities.idOf(purposeOf(step), nonce) === id;
    if (row.step > 0 && row.quartile === quartile && isStep(row.step - 1)) return presentProgress(context, row);
    if (row.state === 'completed' || row.state === 'granted' || !isStep(row.step)) throw new ApiError('adNotCounted');

    const watchedMs = watchedOf(row, now);
    const isNext = row.state === 'playing' && quartile === row.quartile + 25;
    const isInTime = watchedMs >= (durationOf(row) * quartile) / 100 - toleranceMs;
    if (isNext ? !isInTime : quartile !== row.quartile) throw new ApiError('adNotCounted');
    const isEnd = quartile === 100;
    const values = {
      state: isEnd ? 'completed' : 'playing',
      step: row.step + 1,
      quartile,
      watchedMs,
      visibleSince: visible ? now : null,
      completedAt: isEnd ? now : null,
    } as const;
    await updateAdSession(tx, userId, values);
    return presentProgress(context, { ...row, ...values });
  });
}

/**
 * Gives the reward of the ad that the caller has watched to its end (value 0, type 2), once; a repeated call returns the
 * same. Any other call checks whether the caller has enough points, and takes none: what costs points is charged where it
 * is bought, at the server's price.
 * @throws ApiError `adNotWatched`, `notEnoughPoints`, `notEnoughFreePoints`
 */
export async function checkPaymentFlow(
  context: Context,
  actor: Actor,
  { value, type }: InputOf<typeof api.checkPaymentFlow>,
): Promise<OutputOf<typeof api.checkPaymentFlow>> {
  const amount = type === 2 && value === 0 ? await claimReward(context, actor) : null;
  const { points, freePoints } = await getOwnRow(context, actor);
  if (type === 1 && points < value) throw notEnough('points');
  if (type === 2 && freePoints < value) throw notEnough('freePoints');
  return { points, freePoints, reward: amount === null ? null : rewardOf(amount) };
}

async function claimReward(context: Context, actor: Actor): Promise<number> {
  return context.db.transaction(async (tx) => {
    const user = await lockUser(tx, actor);
    const now = context.clock.now();
    const row = await findAdSession(tx, user.id);
    if (!row?.completedAt || isPast(row.completedAt, claimMinutes, now)) throw new ApiError('adNotWatched');
    const { id: reference, amount } = row;
    if (row.state === 'granted') return amount;
    await changePoints(context, tx, { userId: user.id, kind: 'freePoints', amount, reason: 'ad', reference });
    await updateUser(tx, user.id, { adsTimes: adsToday(user, now) + 1, adsDay: dayInTaipei(now) });
    await updateAdSession(tx, user.id, { state: 'granted', grantedAt: now });
    return amount;
  });
}

/** Returns the drawing of the caller's ad as SVG. @throws ApiError `adNotFound` */
export async function getAdPicture(
  { db }: Context,
  actor: Actor,
  { id, still }: InputOf<typeof api.adPicture> & { readonly id: string },
): Promise<string> {
  const row = await findAdSession(db, signedIn(actor).userId);
  const slug = row?.id === id ? slugOf(row) : null;
  if (!slug) throw new ApiError('adNotFound');
  return drawAd(slug, still === 'no');
}

/** Locks the caller's row, so that their tabs come one after the other. */
async function lockUser(tx: Tx, actor: Actor): Promise<UserRow> {
  const user = await findUserForUpdate(tx, signedIn(actor).userId);
  if (!user) throw new ApiError('tokenExpired');
  return user;
}

const purposeOf = (step: number) => `ad-${step}`;
const slugOf = ({ ad }: Pick<AdSessionRow, 'ad'>) => HOUSE_ADS.find((slug) => ad === `${HOUSE}${slug}`) ?? null;
const durationOf = ({ ad }: Pick<AdSessionRow, 'ad'>) => (ad === GPT ? gptMs : houseMs);
const rewardOf = (amount: number) => ({ type: 'freePoints', amount }) as const;
const isPast = (since: Date, minutes: number, now: Date) => now.getTime() - since.getTime() > minutes * MINUTE_MS;

/** Returns for how long an ad has been visible. A clock that was set back takes nothing away. */
function watchedOf({ watchedMs, visibleSince }: AdSessionRow, now: Date): number {
  return watchedMs + (visibleSince ? Math.max(0, now.getTime() - visibleSince.getTime()) : 0);
}

function presentSession(
  { capabilities }: Context,
  row: Pick<AdSessionRow, 'id' | 'ad' | 'amount'>,
  { adUnitPath }: AdSettings,
  language: Language,
): AdSession {
  const slug = slugOf(row);
  const t = textsIn(language, 'ads');
  const picture = `${API_BASE}${fillPath(api.adPicture.path, { id: row.id })}`;
  return {
    id: row.id,
    nonce: capabilities.tokenOf(purposeOf(0), row.id),
    duration: durationOf(row),
    reward: rewardOf(row.amount),
    ad: slug && {
      slug,
      title: t(`house.${slug}.title`),
      text: t(`house.${slug}.text`),
      click: PAGES[slug],
      animation: picture,
      poster: `${picture}?still=yes`,
    },
    adUnitPath: slug ? null : adUnitPath,
  };
}

function presentProgress({ capabilities }: Context, row: AdSessionRow): OutputOf<typeof api.adProgress> {
  const isOver = row.state === 'completed' || row.state === 'granted';
  return {
    nonce: isOver ? null : capabilities.tokenOf(purposeOf(row.step), row.id),
    quartile: row.quartile as OutputOf<typeof api.adProgress>['quartile'],
  };
}
