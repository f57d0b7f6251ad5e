import type { FastifyInstance } from 'fastify';
import { accountHandlers } from './accounts.ts';
import { adminHandlers } from './admin.ts';
import { adHandlers } from './ads.ts';
import { albumHandlers } from './albums.ts';
import { configHandlers } from './config.ts';
import { devHandlers } from './dev.ts';
import { deviceTypeHandlers } from './device-types.ts';
import type { Handlers } from './endpoint.ts';
import { eventHandlers } from './events.ts';
import { frameHandlers } from './frames.ts';
import { friendHandlers } from './friends.ts';
import { liveHandlers } from './live.ts';
import { mediaHandlers } from './media.ts';
import { notificationHandlers } from './notifications.ts';
import { orderHandlers } from './orders.ts';
import { pageHandlers } from './pages.ts';
import { paymentHandlers } from './payments.ts';
import { pointsHandlers } from './points.ts';
import { shareHandlers } from './shares.ts';
import { shopHandlers } from './shop.ts';
import { uploadLinkHandlers } from './upload-links.ts';

/** Returns the handlers of all endpoints. A missing one is a type error. */
export const createHandlers = (app: FastifyInstance): Handlers => ({
  ...configHandlers,
  ...accountHandlers,
  ...deviceTypeHandlers,
  ...frameHandlers,
  ...friendHandlers,
  ...uploadLinkHandlers,
  ...mediaHandlers,
  ...eventHandlers(app),
  ...albumHandlers,
  ...orderHandlers,
  ...paymentHandlers,
  ...pointsHandlers,
  ...adHandlers,
  ...liveHandlers,
  ...shareHandlers,
  ...shopHandlers,
  ...notificationHandlers,
  ...pageHandlers,
  ...adminHandlers,
  ...devHandlers,
});
