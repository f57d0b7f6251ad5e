import { Readable } from 'node:stream';
import { ApiError, type api, type InputOf, type ManagedFrame, type ManagedFrameFilter } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import { csvHead, csvLine } from '../../platform/csv.ts';
import { ADMIN_PAGE_SIZE, type Page, paged, readAll } from '../../platform/paging.ts';
import { presentFrame, removeFrame } from '../frame/frames.ts';
import { notifyOfFrame } from '../notification/notify.ts';
import { findFrameOwner, listAllFrames } from './operations.sql.ts';

type Row = Awaited<ReturnType<typeof listAllFrames>>[number];
const place = ({ frame }: Row) => frame;

/** Returns a page of the frames of all members. @throws ApiError `invalidInput` for an invalid cursor */
export function listManagedFrames(
  { db, clock }: Context,
  { page, ...filter }: InputOf<typeof api.managedFrames>,
): Promise<Page<ManagedFrame>> {
  const now = clock.now();
  return paged({
    cursor: page,
    size: ADMIN_PAGE_SIZE,
    read: (request) => listAllFrames(db, filter, request),
    positionOf: place,
    present: (rows) => rows.map((row) => present(row, now)),
  });
}

/** Streams the matching frames as CSV. The export is recorded in the audit log. */
export async function exportManagedFrames(
  context: Context,
  auditActor: AuditActor,
  filter: ManagedFrameFilter,
): Promise<Readable> {
  const now = context.clock.now();
  await context.db.transaction((tx) =>
    writeAudit(context, tx, auditActor, { action: 'frames.exported', after: { searched: Boolean(filter.q) } }),
  );
  async function* lines() {
    yield csvHead([
      'id',
      'name',
      'kind',
      'width',
      'height',
      'owner',
      'email',
      'pairedAt',
      'lastSeenAt',
      'version',
      'problem',
    ]);
    for await (const row of readAll((part) => listAllFrames(context.db, filter, part), place)) {
      const { id, name, kind, screen, owner, pairedAt, lastSeenAt, version, problems } = present(row, now);
      const { width, height } = screen;
      yield csvLine([
        id,
        name,
        kind,
        width,
        height,
        owner.name,
        owner.email,
        pairedAt,
        lastSeenAt,
        version,
        problems[0]?.code ?? null,
      ]);
    }
  }
  return Readable.from(lines());
}

/** Revokes the frame's token. Its owner is notified, and can pair it again. @throws ApiError `frameNotFound` */
export async function unpairMemberFrame(
  context: Context,
  auditActor: AuditActor,
  { id }: InputOf<typeof api.unpairMemberFrame>,
): Promise<{ id: string }> {
  await context.db.transaction(async (tx) => {
    const ownerId = await findFrameOwner(tx, id);
    const row = ownerId === undefined ? undefined : await removeFrame(tx, ownerId, id);
    if (!row) throw new ApiError('frameNotFound');
    await notifyOfFrame(context, tx, 'frameUnpaired', { ownerId: row.ownerId, name: row.name });
    await writeAudit(context, tx, auditActor, { action: 'frame.unpaired', subjectId: row.ownerId });
  });
  context.changes.changed(id);
  return { id };
}

function present({ frame, owner }: Row, now: Date): ManagedFrame {
  const { id, name, kind, screen, pairedAt, lastSeenAt, online, version } = presentFrame(frame, now);
  const problems = frame.problems.map(({ at, code, detail }) => ({ at, code, detail }));
  return { id, name, kind, screen, owner, pairedAt, lastSeenAt, online, version, problems };
}
