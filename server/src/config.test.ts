import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const refusal = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return expect.fail('The settings were accepted');
};

describe('the settings', () => {
  it('need none to be set: everything stays on this machine', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: null,
      publicUrl: 'http://localhost:3000',
      playerUrl: null,
      aboutUrl: null,
      role: 'both',
      sandbox: true,
      samples: true,
      liveDemo: true,
      localCountry: 'TW',
      privateSources: false,
      mail: { smtpUrl: null },
      s3: null,
      trustProxy: false,
      logLevel: 'info',
      signingSecret: null,
      captcha: { kind: 'altcha' },
      video: { converters: 1, tier: 'best', maxMinutes: 20, timeLimitMinutes: 720 },
      depth: { model: { id: 'depth-anything-v2-small' }, isFixed: false, device: 'auto' },
    });
    expect(config.dataDir).toBe(`${process.cwd()}/data`);
    expect(config.converters).toBeGreaterThanOrEqual(1);
    expect(config.features.convert2to3).toBe('on');
  });

  it('name a country for callers of this machine alone, unless an operator says otherwise', () => {
    const country = (settings: Record<string, string>) => readConfig(settings).localCountry;
    expect(country({ PUBLIC_URL: 'https://frames.example' })).toBeNull();
    expect(country({ HOST: '0.0.0.0' })).toBeNull();
    expect(country({ HOST: '0.0.0.0', DEV_GEO_COUNTRY: 'JP' })).toBe('JP');
    expect(readConfig({ SAMPLES: 'off' }).liveDemo).toBe(false);
    expect(readConfig({ SAMPLES: 'off', LIVE_DEMO: 'on' }).liveDemo).toBe(true);
  });

  it('are those of production unless somebody develops [R-3.configuration.1]', () => {
    expect(readConfig({}).environment).toBe('production');
    expect(readConfig({ ENVIRONMENT: 'dev' }).environment).toBe('dev');
  });

  it('ask strangers for a proof of work wherever browsers can do it', () => {
    const kindOf = (environment: Record<string, string>) => readConfig(environment).captcha.kind;
    expect(kindOf({ CAPTCHA: 'off' })).toBe('off');
    expect(kindOf({ HOST: '0.0.0.0', PUBLIC_URL: 'https://frames.example' })).toBe('altcha');
    expect(kindOf({ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:8080' })).toBe('altcha');
    // A home server without a certificate: browsers could not solve the proof of work, so nobody could register.
    expect(kindOf({ HOST: '0.0.0.0' })).toBe('off');
    expect(kindOf({ PUBLIC_URL: 'http://frames.lan' })).toBe('off');
    expect(refusal({ CAPTCHA: 'altcha', PUBLIC_URL: 'http://frames.lan' })).toMatch(/^CAPTCHA: .*https/);
  });

  it('take reCAPTCHA when its keys are there, and say which one lacks', () => {
    const keys = { RECAPTCHA_SITE_KEY: 'site', RECAPTCHA_SECRET: 'secret' };
    const captcha = { kind: 'recaptcha', siteKey: 'site', secret: 'secret', project: null };
    expect(readConfig(keys).captcha).toEqual(captcha);
    expect(readConfig({ ...keys, RECAPTCHA_PROJECT: 'frames-1' }).captcha).toEqual({ ...captcha, project: 'frames-1' });
    expect(readConfig({ ...keys, CAPTCHA: 'altcha' }).captcha).toEqual({ kind: 'altcha' });
    expect(refusal({ RECAPTCHA_SITE_KEY: 'site' })).toBe('RECAPTCHA_SECRET: is needed for reCAPTCHA');
    expect(refusal({ CAPTCHA: 'recaptcha' }).split('\n')).toHaveLength(2);
  });

  it('send card payments to the local sandbox until an account of SunPay is there, as a whole', () => {
    const key = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const publicPem = key.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const account = {
      SUNPAY_BASE: 'https://testtrade.sunpay.com.tw',
      SUNPAY_WEB: 'MC31793850',
      SUNPAY_PUBLIC_KEY: publicPem,
      SUNPAY_SECRET: 'D2AE96E5528531CF',
    };
    expect(readConfig({}).sunpay).toEqual({ sandbox: true });
    // Strangers would pay without money.
    expect(readConfig({ HOST: '0.0.0.0' }).sunpay).toBeNull();
    expect(readConfig({ HOST: '0.0.0.0', SANDBOX: 'on' }).sunpay).toEqual({ sandbox: true });
    const { sunpay } = readConfig(account);
    expect(sunpay).toMatchObject({ sandbox: false, base: account.SUNPAY_BASE, merchant: { web: 'MC31793850' } });
    expect(!sunpay?.sandbox && sunpay?.merchant.callbackKey.equals(key.publicKey)).toBe(true);
    // On one line, as in a file of settings; and the other reading of the manual.
    const own = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const other = readConfig({
      ...account,
      SUNPAY_PUBLIC_KEY: publicPem.replaceAll('\n', '\\n'),
      SUNPAY_PRIVATE_KEY: own,
    });
    expect(!other.sunpay?.sandbox && other.sunpay?.merchant.callbackKey.type).toBe('private');

    for (const name of Object.keys(account) as (keyof typeof account)[]) {
      const { [name]: _, ...rest } = account;
      expect(refusal(rest)).toBe(`${name}: is needed together with the other SUNPAY_ settings`);
    }
    expect(refusal({ SUNPAY_PRIVATE_KEY: own }).split('\n')).toHaveLength(4);
    expect(refusal({ ...account, SUNPAY_BASE: 'http://trade.sunpay.com.tw' })).toMatch(/^SUNPAY_BASE: .*https/);
    expect(refusal({ ...account, SUNPAY_BASE: 'https://trade.sunpay.com.tw/v4/cash' })).toMatch(/^SUNPAY_BASE: /);
    expect(refusal({ ...account, SUNPAY_KEY: 'x' })).toContain('SUNPAY_KEY: is no setting');
    const wrong = refusal({ ...account, SUNPAY_PUBLIC_KEY: 'the wrong key', SUNPAY_SECRET: 'too short' });
    expect(wrong).toMatch(/^SUNPAY_PUBLIC_KEY: must be an RSA public key/m);
    expect(wrong).not.toMatch(/the wrong key|too short/);
  });

  it('take PayPal from four settings, none of which may lack, and else pay in the sandbox of this machine', () => {
    const set = {
      PAYPAL_API_BASE: 'https://api-m.paypal.com/',
      PAYPAL_CLIENT_ID: 'id',
      PAYPAL_CLIENT_SECRET: 'secret',
      PAYPAL_WEBHOOK_ID: 'hook',
    };
    const real = { apiBase: 'https://api-m.paypal.com', clientId: 'id', clientSecret: 'secret', webhookId: 'hook' };
    expect(readConfig(set).paypal).toEqual({ sandbox: false, ...real });
    for (const lacking of Object.keys(set)) {
      expect(refusal({ ...set, [lacking]: '' })).toBe(`${lacking}: is needed together with the other PAYPAL_ settings`);
    }
    expect(refusal({ ...set, PAYPAL_API_BASE: 'api-m.paypal.com' })).toMatch(/^PAYPAL_API_BASE: must be an address/);
    expect(refusal({ PAYPAL_SECRET: 'secret' })).toMatch(/^PAYPAL_SECRET: is no setting/);
    expect(readConfig({}).paypal).toEqual({ sandbox: true });
    // Strangers would buy everything without money.
    expect(readConfig({ HOST: '0.0.0.0' }).paypal).toBeNull();
    expect(readConfig({ HOST: '0.0.0.0', SANDBOX: 'on' }).paypal).toEqual({ sandbox: true });
  });

  it('choose a depth model by its id, or none, or another place to fetch it from, and refuse what may not be sold', () => {
    expect(readConfig({ DEPTH_MODEL: 'basic' }).depth.model).toBeNull();
    const sha256 = 'AB'.repeat(32);
    const DEPTH_MODEL_FROM = 'https://files.example/depth.onnx';
    const chosen = { DEPTH_MODEL: 'depth-anything-v2-small', DEPTH_MODEL_FROM, DEPTH_MODEL_SHA256: sha256 };
    expect(readConfig({ ...chosen, DEPTH_DEVICE: 'webgpu' }).depth).toMatchObject({
      model: { id: 'depth-anything-v2-small' },
      isFixed: true,
      source: { address: DEPTH_MODEL_FROM, sha256: sha256.toLowerCase() },
      device: 'webgpu',
    });
    expect(refusal({ DEPTH_MODEL: 'best' })).toMatch(/^DEPTH_MODEL: must be auto, basic or depth-anything-v2-small$/);
    expect(refusal({ DEPTH_MODEL: 'depth-anything-v2-large' })).toMatch(/refused.*forbids commercial use/);
    expect(refusal({ DEPTH_MODEL_SHA256: sha256 })).toMatch(/^DEPTH_MODEL_FROM: is needed/);
    expect(refusal({ DEPTH_DEVICE: 'gpu' })).toMatch(/^DEPTH_DEVICE: /);
    expect(refusal({ DEPTH_MODE: 'auto' })).toMatch(/did you mean DEPTH_MODEL/);
  });

  it('are frozen all the way down', () => {
    const config = readConfig({}) as { mail: { from: string } };
    expect(() => {
      config.mail.from = 'x';
    }).toThrow(TypeError);
  });

  it('that are empty count as not set, and foreign variables are let alone', () => {
    expect(
      readConfig({ PORT: '', SMTP_URL: ' ', HOME: '/root', HOSTNAME: 'x', MAIL: '/var/mail/x', PATH: '/bin' }),
    ).toEqual(readConfig({}));
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '30 00'],
    ['VIDEO_TIER', 'good'],
    ['VIDEO_MAX_MINUTES', '0'],
    ['VIDEO_CONVERTERS', 'two'],
    ['VIDEO_TIME_LIMIT_MINUTES', '1.5'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['PUBLIC_URL', 'frames.example'],
    ['PUBLIC_URL', 'https://frames.example/sub'],
    ['PLAYER_URL', 'player.example'],
    ['PLAYER_URL', 'javascript:alert(1)'],
    ['ABOUT_URL', 'https://me:secret@about.example'],
    ['DEV_GEO_COUNTRY', 'tw'],
    ['LIVE_PRIVATE_SOURCES', 'yes'],
    ['ROLE', 'webb'],
    ['FEATURES', 'most'],
    ['SMTP_URL', 'https://x'],
    ['MAIL_FROM', 'me@'],
    ['SANDBOX', 'yes'],
    ['ENVIRONMENT', 'test'],
    ['CAPTCHA', 'on'],
    ['ADMIN_EMAIL', 'me'],
    ['TRUST_PROXY', 'the one in front'],
    ['TRUST_PROXY', '999.1.1.1'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['CONVERTERS', '0'],
    ['LOG_LEVEL', 'loud'],
    ['SIGNING_SECRET', 'short'],
    ['S3_ENDPOINT', 'ftp://x'],
  ])('name %s when it is wrong ("%s")', (name, value) => {
    expect(refusal({ [name]: value }).split('\n')).toEqual(
      expect.arrayContaining([expect.stringContaining(`${name}: `)]),
    );
  });

  it.each([
    [{}, 'Framelift <no-reply@framelift.local>'],
    [{ PUBLIC_URL: 'https://frames.example' }, 'Framelift <no-reply@frames.example>'],
    [{ PUBLIC_URL: 'http://192.168.1.7' }, 'Framelift <no-reply@framelift.local>'],
    [{ PUBLIC_URL: 'https://frames.example', MAIL_FROM: 'a@b.example' }, 'a@b.example'],
  ])('make the sender of mails from %o: %s [W29]', (environment, from) => {
    expect(readConfig(environment).mail.from).toBe(from);
  });

  it('name every wrong variable at once', () => {
    const lines = refusal({ PORT: 'x', ROLE: 'y', SMPT_URL: 'smtp://z' }).split('\n');
    expect(lines.map((line) => line.split(':')[0]).sort()).toEqual(['PORT', 'ROLE', 'SMPT_URL']);
  });

  it.each([
    ['DATADIR', 'DATA_DIR'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['SMPT_URL', 'SMTP_URL'],
    ['CONVERTER', 'CONVERTERS'],
    ['S3_BUKCET', 'S3_BUCKET'],
  ])('do not pass over the slip %s', (slip, meant) => {
    expect(refusal({ [slip]: 'x' })).toBe(`${slip}: is no setting; did you mean ${meant}?`);
  });

  it('do not pass over a name that only we could be meant by', () => {
    expect(refusal({ SMTP_HOST: 'mail.example' })).toBe('SMTP_HOST: is no setting. Settings that begin so: SMTP_URL');
    expect(refusal({ FRAMELIFT_PORT: '1' })).toContain('FRAMELIFT_PORT: is no setting');
  });

  it('that need each other are asked for', () => {
    expect(refusal({ S3_ENDPOINT: 'http://s3' })).toBe('S3_BUCKET: is needed together with the other S3_ settings');
    expect(refusal({ S3_BUCKET: 'pics', S3_ACCESS_KEY_ID: 'a' })).toContain('S3_SECRET_ACCESS_KEY: ');
    expect(refusal({ SMTP_URL: 'smtp://mail' })).toBe('MAIL_FROM: is needed together with SMTP_URL');
    expect(refusal({ SMTP_URL: 'smtp://mail', MAIL_FROM: 'a@b.co', SANDBOX: 'on' })).toContain('SANDBOX: ');
  });

  it('open the sandbox only where nobody else can look in', () => {
    const sandbox = (environment: Record<string, string>) => readConfig(environment).sandbox;
    expect(sandbox({ HOST: '0.0.0.0' })).toBe(false);
    expect(sandbox({ HOST: '::1' })).toBe(true);
    // A local proxy, which hides where its requests come from.
    expect(sandbox({ PUBLIC_URL: 'https://frames.example' })).toBe(false);
    expect(sandbox({ PUBLIC_URL: 'http://localhost:8080' })).toBe(true);
    expect(sandbox({ SMTP_URL: 'smtp://mail', MAIL_FROM: 'a@b.co' })).toBe(false);
    expect(sandbox({ SANDBOX: 'off' })).toBe(false);
    expect(sandbox({ HOST: '0.0.0.0', SANDBOX: 'on' })).toBe(true);
  });

  it('read a whole installation', () => {
    expect(
      readConfig({
        PORT: '8080',
        HOST: '0.0.0.0',
        DATA_DIR: '/srv/framelift',
        DATABASE_URL: 'postgres://u:p@db/framelift',
        PUBLIC_URL: 'https://frames.example/',
        PLAYER_URL: 'https://play.example/live?from=frames',
        ABOUT_URL: 'https://company.example/about',
        ROLE: 'web',
        FEATURES: 'literal',
        SMTP_URL: 'smtps://u:p@mail.example:465',
        MAIL_FROM: 'Frames <hello@frames.example>',
        S3_ENDPOINT: 'http://s3.internal:9000',
        S3_PUBLIC_ENDPOINT: 'https://s3.frames.example',
        S3_BUCKET: 'pictures',
        S3_ACCESS_KEY_ID: 'id',
        S3_SECRET_ACCESS_KEY: 'key',
        TRUST_PROXY: '10.0.0.0/8, ::1',
        CONVERTERS: '3',
      }),
    ).toMatchObject({
      port: 8080,
      dataDir: '/srv/framelift',
      publicUrl: 'https://frames.example',
      playerUrl: 'https://play.example/live?from=frames',
      aboutUrl: 'https://company.example/about',
      role: 'web',
      features: { album: 'in_development' },
      s3: { region: 'us-east-1', endpoint: 'http://s3.internal:9000', credentials: { accessKeyId: 'id' } },
      trustProxy: ['10.0.0.0/8', '::1'],
      converters: 3,
      sandbox: false,
    });
    expect(readConfig({ TRUST_PROXY: 'on' }).trustProxy).toBe(1);
    expect(readConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
    expect(readConfig({ S3_BUCKET: 'pictures' }).s3?.credentials).toBeNull();
  });
});
