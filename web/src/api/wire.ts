export { createClient, featurePreset } from '@framelift/contract';
