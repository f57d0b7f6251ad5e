import { api } from '@framelift/contract';
import { getEngineStatus } from '../domain/operator/engine-status.ts';
import type { Mount } from './endpoint.ts';

export function mountOperator(mount: Mount): void {
  mount(api.engineStatus, ({ context }) => getEngineStatus(context));
}
