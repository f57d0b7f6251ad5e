export { createClient } from '@framelift/contract';
