// The texts that nearly every first page needs: one request per language.
export { default as auth } from './en/auth.json';
export { default as common } from './en/common.json';
export { default as guest } from './en/guest.json';
export { default as landing } from './en/landing.json';
export { default as shell } from './en/shell.json';
