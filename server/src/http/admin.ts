import { api } from '@framelift/contract';
import type { FastifyReply } from 'fastify';
import { exportAuditLog, getAuditLog } from '../domain/admin/audit-log.ts';
import {
  setUserAdmin,
  setUserConfirmed,
  setUserRestricted,
  setUserVip,
  signOutUser,
} from '../domain/admin/change-user.ts';
import { getEngineStatus } from '../domain/admin/engine-status.ts';
import { getSiteStatus } from '../domain/admin/site-status.ts';
import { exportUsers, getUserDetail, getUsers } from '../domain/admin/users.ts';
import { setFeatures } from '../domain/site/features.ts';
import { getSiteSettings, setAnnouncement, setMaintenance } from '../domain/site/site.ts';
import { createPinCodes, getPinCodeBatches, setPinCodesRevoked } from '../domain/voucher/vouchers.ts';
import type { Doer } from '../platform/audit.ts';
import { contentDisposition } from '../platform/storage/content-disposition.ts';
import type { Call, Mount } from './endpoint.ts';

const doer = ({ actor, request }: Pick<Call<unknown>, 'actor' | 'request'>): Doer => ({ actor, address: request.ip });

function csvFile(reply: FastifyReply, name: string): FastifyReply {
  return reply.headers({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': contentDisposition(`${name}.csv`, false),
  });
}

export function mountOperator(mount: Mount): void {
  mount(api.engineStatus, ({ context }) => getEngineStatus(context));
  mount(api.siteStatus, ({ context }) => getSiteStatus(context));

  mount(api.users, ({ context, input }) => getUsers(context, input));
  mount(api.usersCsv, async (call) =>
    csvFile(call.reply, 'framelift-users').send(await exportUsers(call.context, doer(call), call.input)),
  );
  mount(api.userDetail, ({ context, params }) => getUserDetail(context, params));
  mount(api.setUserConfirmed, (call) => setUserConfirmed(call.context, doer(call), call.input));
  mount(api.setUserRestricted, (call) => setUserRestricted(call.context, doer(call), call.input));
  mount(api.setUserVip, (call) => setUserVip(call.context, doer(call), call.input));
  mount(api.setUserAdmin, (call) => setUserAdmin(call.context, doer(call), call.input));
  mount(api.signOutUser, (call) => signOutUser(call.context, doer(call), call.input));

  mount(api.pinCodeBatches, ({ context, input }) => getPinCodeBatches(context, input));
  mount(api.createPinCodes, (call) => createPinCodes(call.context, doer(call), call.input));
  mount(api.setPinCodesRevoked, (call) => setPinCodesRevoked(call.context, doer(call), call.input));

  mount(api.siteSettings, ({ context }) => getSiteSettings(context));
  mount(api.setMaintenance, (call) => setMaintenance(call.context, doer(call), call.input));
  mount(api.setAnnouncement, (call) => setAnnouncement(call.context, doer(call), call.input));
  mount(api.setFeatures, (call) => setFeatures(call.context, doer(call), call.input));

  mount(api.auditLog, ({ context, input }) => getAuditLog(context, input));
  mount(api.auditLogCsv, async (call) =>
    csvFile(call.reply, 'framelift-log').send(await exportAuditLog(call.context, doer(call), call.input)),
  );
}
