import type { FastifyReply } from 'fastify';
import { getAdSettings, setAdSettings } from '../domain/ad/ad-settings.ts';
import { exportAuditLog, listAuditLog } from '../domain/admin/audit-log.ts';
import {
  setUserAdmin,
  setUserConfirmed,
  setUserRestricted,
  setUserVip,
  signOutUser,
} from '../domain/admin/change-user.ts';
import { getEngineStatus } from '../domain/admin/engine-status.ts';
import { exportManagedFrames, listManagedFrames, unpairMemberFrame } from '../domain/admin/frames.ts';
import { listLegalVersions, publishLegalText, withdrawLegalText } from '../domain/admin/legal-texts.ts';
import {
  deleteLiveEvent,
  getManagedLiveEvent,
  listManagedLiveEvents,
  restoreLiveEvent,
  setLiveEvent,
} from '../domain/admin/live-events.ts';
import { archiveOffer, listManagedOffers, setOffer } from '../domain/admin/offers.ts';
import {
  createOnSiteOrder,
  finishOnSiteUpload,
  listManagedOrders,
  requestOnSiteUpload,
} from '../domain/admin/orders.ts';
import { deleteEntry, listManagedEntries, moveEntry, restoreEntry, setEntry } from '../domain/admin/page-entries.ts';
import {
  closePayment,
  exportManagedPayments,
  getManagedPayment,
  listManagedPayments,
  listManagedSubscriptions,
  refundPayment,
  repairPayment,
} from '../domain/admin/payments.ts';
import { giveUserPlan, listManagedPlans, setPlan } from '../domain/admin/plans.ts';
import { correctPoints, listUserPointEntries } from '../domain/admin/points.ts';
import { listManagedProducts, setProduct } from '../domain/admin/products.ts';
import { getSiteStatus } from '../domain/admin/site-status.ts';
import { listStorageUse, setUserStorage } from '../domain/admin/storage.ts';
import { listManagedStores, setStore } from '../domain/admin/stores.ts';
import { exportUsers, getUserDetail, listUsers } from '../domain/admin/users.ts';
import { fetchDepthModel, getDepthModel, removeDepthModel } from '../domain/depth-model/depth-model.ts';
import {
  listManagedDeviceTypes,
  listManagedEffects,
  setDeviceType,
  setEffect,
} from '../domain/device-type/manage-device-types.ts';
import { getLiveSettings, setLiveSettings } from '../domain/live/live-settings.ts';
import { checkLiveSource } from '../domain/live/stream.ts';
import { remakeMissing } from '../domain/media/lifecycle/remake-missing.ts';
import { listManagedBroadcasts, sendBroadcast, setBroadcastWithdrawn } from '../domain/notification/broadcasts.ts';
import { listConversionPrices, setConversionPrice } from '../domain/points/prices.ts';
import { setFeatures } from '../domain/site/features.ts';
import { getSiteSettings, setAnnouncement, setMaintenance } from '../domain/site/site.ts';
import { setStorageDefault } from '../domain/site/storage-default.ts';
import { createVouchers, listVoucherBatches, setVouchersRevoked } from '../domain/voucher/vouchers.ts';
import type { AuditActor } from '../platform/audit.ts';
import { contentDisposition } from '../platform/storage/content-disposition.ts';
import { addressOf } from './address.ts';
import type { Call, Handlers } from './endpoint.ts';

const auditActor = ({ actor, request }: Pick<Call<unknown>, 'actor' | 'request'>): AuditActor => ({
  actor,
  address: addressOf(request),
});

function csvFile(reply: FastifyReply, name: string): FastifyReply {
  return reply.headers({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': contentDisposition(`${name}.csv`, false),
  });
}

export const adminHandlers = {
  managedPayments: ({ context, actor, input }) => listManagedPayments(context, actor, input),
  managedPaymentsCsv: async (call) =>
    csvFile(call.reply, 'framelift-payments').send(
      await exportManagedPayments(call.context, auditActor(call), call.input),
    ),
  managedPayment: ({ context, actor, params }) => getManagedPayment(context, actor, params),
  closePayment: (call) => closePayment(call.context, auditActor(call), call.input),
  repairPayment: (call) => repairPayment(call.context, auditActor(call), call.input),
  refundPayment: (call) => refundPayment(call.context, auditActor(call), call.input),
  managedSubscriptions: ({ context, actor, input }) => listManagedSubscriptions(context, actor, input),

  engineStatus: ({ context }) => getEngineStatus(context),
  depthModel: ({ context }) => getDepthModel(context),
  fetchDepthModel: (call) => fetchDepthModel(call.context, auditActor(call)),
  removeDepthModel: (call) => removeDepthModel(call.context, auditActor(call)),
  siteStatus: ({ context }) => getSiteStatus(context),

  users: ({ context, input }) => listUsers(context, input),
  usersCsv: async (call) =>
    csvFile(call.reply, 'framelift-users').send(await exportUsers(call.context, auditActor(call), call.input)),
  userDetail: ({ context, params }) => getUserDetail(context, params),
  setUserConfirmed: (call) => setUserConfirmed(call.context, auditActor(call), call.input),
  setUserRestricted: (call) => setUserRestricted(call.context, auditActor(call), call.input),
  setUserVip: (call) => setUserVip(call.context, auditActor(call), call.input),
  setUserAdmin: (call) => setUserAdmin(call.context, auditActor(call), call.input),
  remakeMissing: (call) => remakeMissing(call.context, auditActor(call)),
  signOutUser: (call) => signOutUser(call.context, auditActor(call), call.input),

  pinCodeBatches: ({ context, input }) => listVoucherBatches(context, input),
  createPinCodes: (call) => createVouchers(call.context, auditActor(call), call.input),
  setPinCodesRevoked: (call) => setVouchersRevoked(call.context, auditActor(call), call.input),

  siteSettings: ({ context }) => getSiteSettings(context),
  setMaintenance: (call) => setMaintenance(call.context, auditActor(call), call.input),
  setAnnouncement: (call) => setAnnouncement(call.context, auditActor(call), call.input),
  managedNotifications: ({ context, input }) => listManagedBroadcasts(context, input),
  sendNotification: (call) => sendBroadcast(call.context, auditActor(call), call.input),
  setNotificationWithdrawn: (call) => setBroadcastWithdrawn(call.context, auditActor(call), call.input),
  setFeatures: (call) => setFeatures(call.context, auditActor(call), call.input),

  managedDeviceTypes: ({ context }) => listManagedDeviceTypes(context),
  setDeviceType: (call) => setDeviceType(call.context, auditActor(call), call.input),
  managedEffects: ({ context, input }) => listManagedEffects(context, input),
  setEffect: (call) => setEffect(call.context, auditActor(call), call.input),

  managedFrames: ({ context, input }) => listManagedFrames(context, input),
  managedFramesCsv: async (call) =>
    csvFile(call.reply, 'framelift-frames').send(await exportManagedFrames(call.context, auditActor(call), call.input)),
  unpairMemberFrame: (call) => unpairMemberFrame(call.context, auditActor(call), call.input),

  storageUse: ({ context, input }) => listStorageUse(context, input),
  setStorageDefault: (call) => setStorageDefault(call.context, auditActor(call), call.input),
  setUserStorage: (call) => setUserStorage(call.context, auditActor(call), call.input),

  managedOrders: ({ context, input }) => listManagedOrders(context, input),
  createOnSiteOrder: (call) => createOnSiteOrder(call.context, auditActor(call), call.input),
  requestOnSiteUpload: (call) => requestOnSiteUpload(call.context, auditActor(call), call.input),
  finishOnSiteUpload: ({ context, input }) => finishOnSiteUpload(context, input),

  managedLiveEvents: ({ context, input }) => listManagedLiveEvents(context, input),
  managedLiveEvent: ({ context, params }) => getManagedLiveEvent(context, params),
  setLiveEvent: (call) => setLiveEvent(call.context, auditActor(call), call.input),
  checkLiveSource: ({ context, input }) => checkLiveSource(context, input),
  deleteLiveEvent: (call) => deleteLiveEvent(call.context, auditActor(call), call.input),
  restoreLiveEvent: (call) => restoreLiveEvent(call.context, auditActor(call), call.input),
  liveSettings: ({ context }) => getLiveSettings(context),
  setLiveSettings: (call) => setLiveSettings(call.context, auditActor(call), call.input),

  legalVersions: ({ context, input }) => listLegalVersions(context, input),
  publishLegalText: (call) => publishLegalText(call.context, auditActor(call), call.input),
  withdrawLegalText: (call) => withdrawLegalText(call.context, auditActor(call), call.input),
  managedEntries: ({ context, input }) => listManagedEntries(context, input),
  setEntry: (call) => setEntry(call.context, auditActor(call), call.input),
  moveEntry: (call) => moveEntry(call.context, auditActor(call), call.input),
  deleteEntry: (call) => deleteEntry(call.context, auditActor(call), call.input),
  restoreEntry: (call) => restoreEntry(call.context, auditActor(call), call.input),

  conversionPrices: ({ context }) => listConversionPrices(context),
  setConversionPrice: (call) => setConversionPrice(call.context, auditActor(call), call.input),
  userPointEntries: ({ context, actor, params, input }) => listUserPointEntries(context, actor, params, input),
  correctPoints: (call) => correctPoints(call.context, auditActor(call), call.input),

  adSettings: ({ context }) => getAdSettings(context),
  setAdSettings: (call) => setAdSettings(call.context, auditActor(call), call.input),
  managedStores: ({ context }) => listManagedStores(context),
  setStore: (call) => setStore(call.context, auditActor(call), call.input),
  managedProducts: ({ context, input }) => listManagedProducts(context, input),
  setProduct: (call) => setProduct(call.context, auditActor(call), call.input),
  managedPlans: ({ context }) => listManagedPlans(context),
  setPlan: (call) => setPlan(call.context, auditActor(call), call.input),
  managedOffers: ({ context, input }) => listManagedOffers(context, input),
  setOffer: (call) => setOffer(call.context, auditActor(call), call.input),
  archiveOffer: (call) => archiveOffer(call.context, auditActor(call), call.input),
  giveUserPlan: (call) => giveUserPlan(call.context, auditActor(call), call.input),

  auditLog: ({ context, input }) => listAuditLog(context, input),
  auditLogCsv: async (call) =>
    csvFile(call.reply, 'framelift-log').send(await exportAuditLog(call.context, auditActor(call), call.input)),
} satisfies Partial<Handlers>;
