import type { AuditFilter } from '@framelift/contract';
import { and, eq, gte, lt } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queries } from '../../platform/db/open.ts';
import { auditLog, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';

const actors = alias(users, 'actors');
const subjects = alias(users, 'subjects');

/** Returns a page, newest first. */
export function listAuditEntries(db: Queries, filter: AuditFilter, { after, limit }: PageRequest) {
  const { createdAt, id } = auditLog;
  return db
    .select({
      entry: auditLog,
      by: { id: actors.id, name: actors.name },
      subject: { id: subjects.id, name: subjects.name, email: subjects.email },
    })
    .from(auditLog)
    .leftJoin(actors, eq(actors.id, auditLog.actorId))
    .leftJoin(subjects, eq(subjects.id, auditLog.subjectId))
    .where(
      and(
        filter.action ? eq(auditLog.action, filter.action) : undefined,
        filter.subject ? eq(auditLog.subjectId, filter.subject) : undefined,
        filter.by ? eq(auditLog.actorId, filter.by) : undefined,
        filter.from ? gte(createdAt, new Date(filter.from)) : undefined,
        filter.to ? lt(createdAt, new Date(filter.to)) : undefined,
        afterPosition(after, createdAt, id),
      ),
    )
    .orderBy(...newestFirst(createdAt, id))
    .limit(limit);
}
