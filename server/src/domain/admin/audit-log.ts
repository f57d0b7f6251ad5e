import { Readable } from 'node:stream';
import type { AuditEntry, AuditFilter, api, InputOf } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import { csvHead, csvLine } from '../../platform/csv.ts';
import { ADMIN_PAGE_SIZE, type Page, paged, readAll } from '../../platform/paging.ts';
import { listAuditEntries } from './audit.sql.ts';

type Row = Awaited<ReturnType<typeof listAuditEntries>>[number];
const place = ({ entry }: Row) => entry;

/** Returns a page of the log. @throws ApiError `invalidInput` for an invalid cursor */
export function listAuditLog(
  context: Context,
  { page, ...filter }: InputOf<typeof api.auditLog>,
): Promise<Page<AuditEntry>> {
  return paged({
    cursor: page,
    size: ADMIN_PAGE_SIZE,
    read: (request) => listAuditEntries(context.db, filter, request),
    positionOf: place,
    present: (rows) => rows.map(present),
  });
}

/** Streams the matching entries as CSV. */
export async function exportAuditLog(context: Context, auditActor: AuditActor, filter: AuditFilter): Promise<Readable> {
  await context.db.transaction((tx) =>
    writeAudit(context, tx, auditActor, { action: 'log.exported', after: { ...filter } }),
  );
  async function* lines() {
    yield csvHead(['at', 'action', 'by', 'subject', 'target', 'before', 'after', 'address']);
    for await (const row of readAll((part) => listAuditEntries(context.db, filter, part), place)) {
      const { at, action, by, subject, target, before, after, address } = present(row);
      const json = (value: object | null) => value && JSON.stringify(value);
      yield csvLine([at, action, by?.name ?? null, subject?.email ?? null, target, json(before), json(after), address]);
    }
  }
  return Readable.from(lines());
}

function present({ entry, by, subject }: Row): AuditEntry {
  const { id, createdAt, action, target, before, after, address } = entry;
  return {
    id,
    action,
    target,
    before,
    after,
    address,
    at: createdAt.toISOString(),
    by,
    subject: subject && { ...subject, email: subject.email ?? '' },
  };
}
