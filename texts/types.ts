import 'i18next';
import type admin from './en/admin.json';
import type ads from './en/ads.json';
import type albums from './en/albums.json';
import type announcement from './en/announcement.json';
import type auth from './en/auth.json';
import type captcha from './en/captcha.json';
import type common from './en/common.json';
import type content from './en/content.json';
import type depth from './en/depth.json';
import type dev from './en/dev.json';
import type devices from './en/devices.json';
import type edit from './en/edit.json';
import type emails from './en/emails.json';
import type errors from './en/errors.json';
import type formats from './en/formats.json';
import type frame from './en/frame.json';
import type frames from './en/frames.json';
import type friends from './en/friends.json';
import type guest from './en/guest.json';
import type guides from './en/guides.json';
import type install from './en/install.json';
import type landing from './en/landing.json';
import type links from './en/links.json';
import type menu from './en/menu.json';
import type notifications from './en/notifications.json';
import type orders from './en/orders.json';
import type pages from './en/pages.json';
import type password from './en/password.json';
import type paypal from './en/paypal.json';
import type points from './en/points.json';
import type policy from './en/policy.json';
import type profile from './en/profile.json';
import type result from './en/result.json';
import type scanner from './en/scanner.json';
import type seeds from './en/seeds.json';
import type share from './en/share.json';
import type shell from './en/shell.json';
import type store from './en/store.json';
import type subscription from './en/subscription.json';
import type sunpay from './en/sunpay.json';
import type tutorial from './en/tutorial.json';
import type upload from './en/upload.json';
import type viewer from './en/viewer.json';

/** The English texts by area. They define the type of the texts in every language. */
export interface Texts {
  admin: typeof admin;
  ads: typeof ads;
  albums: typeof albums;
  announcement: typeof announcement;
  auth: typeof auth;
  captcha: typeof captcha;
  common: typeof common;
  content: typeof content;
  depth: typeof depth;
  dev: typeof dev;
  devices: typeof devices;
  edit: typeof edit;
  emails: typeof emails;
  errors: typeof errors;
  formats: typeof formats;
  frame: typeof frame;
  frames: typeof frames;
  friends: typeof friends;
  guest: typeof guest;
  guides: typeof guides;
  install: typeof install;
  landing: typeof landing;
  links: typeof links;
  menu: typeof menu;
  notifications: typeof notifications;
  orders: typeof orders;
  pages: typeof pages;
  password: typeof password;
  paypal: typeof paypal;
  points: typeof points;
  policy: typeof policy;
  profile: typeof profile;
  result: typeof result;
  scanner: typeof scanner;
  seeds: typeof seeds;
  share: typeof share;
  shell: typeof shell;
  store: typeof store;
  subscription: typeof subscription;
  sunpay: typeof sunpay;
  tutorial: typeof tutorial;
  upload: typeof upload;
  viewer: typeof viewer;
}
export type Area = keyof Texts;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Texts;
  }
}
