import { Readable } from 'node:stream';
import {
  ApiError,
  type api,
  FALLBACK_LANGUAGE,
  type InputOf,
  type MemberDetail,
  type MemberFilter,
  type MemberRow,
} from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import { csvHead, csvLine } from '../../platform/csv.ts';
import { ADMIN_PAGE_SIZE, type Page, paged, readAll } from '../../platform/paging.ts';
import { listSessionRows } from '../user/user.sql.ts';
import { isVipNow, presentUser } from '../user/user.ts';
import { countUploads, findMemberView, listMembers, type MemberView } from './users.sql.ts';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
const place = ({ user }: MemberView) => user;

/** Returns a page of the members that match a filter. @throws ApiError `invalidInput` for an invalid cursor */
export function listUsers(context: Context, { page, ...filter }: InputOf<typeof api.users>): Promise<Page<MemberRow>> {
  const now = context.clock.now();
  return paged({
    cursor: page,
    size: ADMIN_PAGE_SIZE,
    read: (request) => listMembers(context.db, filter, now, request),
    positionOf: place,
    present: (views) => views.map((view) => presentRow(view, now)),
  });
}

const COLUMNS = [
  'id',
  'name',
  'email',
  'createdAt',
  'lastSeenAt',
  'isConfirmed',
  'isRestricted',
  'isSuspended',
  'isAdmin',
  'VIP',
  'deletionAt',
] as const satisfies readonly (keyof MemberRow)[];

/** Streams the matching members as CSV. The export of personal data is recorded in the audit log. */
export async function exportUsers(context: Context, auditActor: AuditActor, filter: MemberFilter): Promise<Readable> {
  const now = context.clock.now();
  const { q, ...conditions } = filter;
  const after = { ...conditions, searched: Boolean(q) };
  await context.db.transaction((tx) => writeAudit(context, tx, auditActor, { action: 'users.exported', after }));
  async function* lines() {
    yield csvHead(COLUMNS);
    for await (const view of readAll((part) => listMembers(context.db, filter, now, part), place)) {
      const row = presentRow(view, now);
      yield csvLine(COLUMNS.map((column) => row[column]));
    }
  }
  return Readable.from(lines());
}

/** @throws ApiError `userNotFound` */
export async function getUserDetail(context: Context, { id }: { readonly id: string }): Promise<MemberDetail> {
  const { db, clock } = context;
  const now = clock.now();
  const view = await findMemberView(db, id, now);
  if (!view) throw new ApiError('userNotFound');
  const { user } = view;
  const { phone, points, freePoints, myPlan } = await presentUser(context, db, user, FALLBACK_LANGUAGE);
  const sessions = await listSessionRows(db, id, now);
  return {
    ...presentRow(view, now),
    phone,
    points,
    freePoints,
    myPlan,
    language: user.language,
    confirmedAt: iso(user.confirmedAt),
    restrictedAt: iso(user.restrictedAt),
    vipUntil: isVipNow(user, now) ? iso(user.vipUntil) : null,
    sessions: sessions.map((session) => ({
      id: session.id,
      userAgent: session.userAgent,
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
    })),
    ...(await countUploads(db, id)),
  };
}

function presentRow({ user, lastSeenAt }: MemberView, now: Date): MemberRow {
  return {
    id: user.id,
    name: user.name,
    email: user.email ?? '',
    createdAt: user.createdAt.toISOString(),
    lastSeenAt: iso(lastSeenAt),
    isConfirmed: user.confirmedAt !== null,
    isRestricted: user.restrictedAt !== null,
    isSuspended: user.suspendedAt !== null,
    isAdmin: user.isAdmin,
    VIP: isVipNow(user, now),
    deletionAt: iso(user.deletionAt),
  };
}
