import { z } from 'zod';
import { defineJob } from '../jobs/job.ts';

/** A mail server may be down for a while: tried for about an hour. */
export const sendMail = defineJob('mail.send', z.object({ mailId: z.uuid() }), { attempts: 30, retryDelay: 120 });
