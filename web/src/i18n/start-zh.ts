// The texts that nearly every first page needs: one request per language.
export { default as auth } from './zh/auth.json';
export { default as common } from './zh/common.json';
export { default as guest } from './zh/guest.json';
export { default as landing } from './zh/landing.json';
export { default as shell } from './zh/shell.json';
