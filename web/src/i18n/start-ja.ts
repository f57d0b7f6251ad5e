// The texts that nearly every first page needs: one request per language.
export { default as auth } from './ja/auth.json';
export { default as common } from './ja/common.json';
export { default as guest } from './ja/guest.json';
export { default as landing } from './ja/landing.json';
export { default as shell } from './ja/shell.json';
