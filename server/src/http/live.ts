import { confirmAge, getLiveAccess, type Origin } from '../domain/live/access.ts';
import { getLiveEvent, listLiveEvents, openLiveCover } from '../domain/live/events.ts';
import { endLive, recordLiveHeartbeat, watchLive } from '../domain/live/sessions.ts';
import { speedTestBytes } from '../domain/live/speed-test.ts';
import { openLiveSegment, readLivePlaylist } from '../domain/live/stream.ts';
import { addressOf } from './address.ts';
import type { Call, Handlers } from './endpoint.ts';
import { sendFile } from './send-file.ts';

/** The country of the caller, by the same address as the limits. */
const originOf = ({ context, request }: Pick<Call<unknown>, 'context' | 'request'>): Origin => ({
  country: context.countries.countryOf(addressOf(request)),
});

/** What another server sends is never a page of ours. */
const INERT = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' };

export const liveHandlers = {
  liveEvents: ({ context, actor, input }) => listLiveEvents(context, actor, input),
  liveEvent: ({ context, actor, params }) => getLiveEvent(context, actor, params),
  liveCover: async ({ context, params, request, reply }) => {
    const cover = await openLiveCover(context, params);
    reply.header('cache-control', 'private, no-cache');
    return sendFile(request, reply, { ...cover, version: cover.sha256 });
  },
  liveAccess: (call) => getLiveAccess(call.context, call.actor, originOf(call)),
  confirmAge: ({ context, actor, input }) => confirmAge(context, actor, input),
  watchLive: (call) => watchLive(call.context, call.actor, call.input, originOf(call)),
  liveHeartbeat: (call) => recordLiveHeartbeat(call.context, call.actor, call.params, originOf(call)),
  endLive: ({ context, actor, params }) => endLive(context, actor, params),
  livePlaylist: async (call) => {
    const text = await readLivePlaylist(call.context, call.actor, call.params, call.input, originOf(call));
    return call.reply.headers({ ...INERT, 'content-type': 'application/vnd.apple.mpegurl' }).send(text);
  },
  liveSegment: async (call) => {
    const { context, actor, params, input, request, reply, signal } = call;
    const { range } = request.headers;
    const segment = await openLiveSegment(context, actor, params, { ...input, range, signal }, originOf(call));
    reply.headers(INERT);
    if (segment.from === 'store') return sendFile(request, reply, { ...segment, version: segment.key });
    const { status, type, size, range: sent, body } = segment;
    if (size !== null) reply.header('content-length', size);
    if (sent !== null) reply.header('content-range', sent);
    return reply.code(status).type(type).send(body);
  },
  speedTest: async ({ input: { bytes }, reply }) =>
    reply.headers({ 'content-type': 'application/octet-stream', 'content-length': bytes }).send(speedTestBytes(bytes)),
} satisfies Partial<Handlers>;
