import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';

/**
 * Sets the security headers of every response. `storageOrigins` are the targets of presigned links (an S3 store);
 * `https` is whether users reach the server by HTTPS; `recaptcha` is the URL of Google's script, if used; `formTargets`
 * are the origins of providers to whose pages our forms are posted.
 */
export function mountSecurity(
  app: FastifyInstance,
  storageOrigins: readonly string[],
  https: boolean,
  recaptcha: string | null = null,
  formTargets: readonly string[] = [],
): void {
  const origins = [...storageOrigins];
  // Google's script loads a second one and creates iframes.
  const google = recaptcha === null ? [] : [`${new URL(recaptcha).origin}/recaptcha/`];
  const googleScripts = recaptcha === null ? [] : [...google, 'https://www.gstatic.com/recaptcha/'];
  app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        // WebAssembly for the HEIC decoder. Neither inline scripts nor eval.
        'script-src': ["'self'", "'wasm-unsafe-eval'", ...googleScripts],
        'script-src-attr': ["'none'"],
        'worker-src': ["'self'"],
        // Mantine writes style attributes and a style element for its theme variables at run time.
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'blob:', 'data:', ...origins],
        'media-src': ["'self'", 'blob:', 'data:', ...origins],
        'font-src': ["'self'", 'data:'],
        'connect-src': ["'self'", ...origins, ...google],
        'frame-src': ["'self'", ...google],
        'object-src': ["'none'"],
        'base-uri': ["'self'"],
        'form-action': ["'self'", ...formTargets],
        'frame-ancestors': ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    // Over plain HTTP browsers ignore these headers and log warnings.
    strictTransportSecurity: https,
    crossOriginOpenerPolicy: https ? { policy: 'same-origin' } : false,
    originAgentCluster: https,
    referrerPolicy: { policy: 'no-referrer' },
  });
  app.addHook('onRequest', async (_request, reply) => {
    // Device orientation for the preview, the camera for photos and pairing; nothing else.
    reply.header(
      'permissions-policy',
      'accelerometer=(self), camera=(self), gyroscope=(self), geolocation=(), microphone=(), payment=(), usb=()',
    );
  });
}

/** Lets other websites show this one response in a frame. Everything else of its headers stays. */
export function allowFraming(reply: FastifyReply): void {
  const policy = String(reply.getHeader('content-security-policy'));
  reply.header('content-security-policy', policy.replace("frame-ancestors 'none'", 'frame-ancestors *'));
  reply.removeHeader('x-frame-options');
}

/** Lets this one page run its inline scripts with these hashes (SHA-256, base64). Everything else of its headers stays. */
export function allowScripts(reply: FastifyReply, hashes: readonly string[]): void {
  const sources = hashes.map((hash) => `'sha256-${hash}'`).join(' ');
  const policy = String(reply.getHeader('content-security-policy'));
  reply.header('content-security-policy', policy.replace(/(^|;)(script-src) /, `$1$2 ${sources} `));
}

/** Sources that the Google Publisher Tag needs for a rewarded slot: its scripts, its frames, and what they measure. */
const GOOGLE_ADS = [
  'https://*.doubleclick.net',
  'https://*.googlesyndication.com',
  'https://*.adtrafficquality.google',
  'https://www.google.com',
].join(' ');

/** Lets this one page load the ads of Google. Everything else of its headers stays. */
export function allowGoogleAds(reply: FastifyReply): void {
  const policy = String(reply.getHeader('content-security-policy'));
  reply.header(
    'content-security-policy',
    policy.replace(/(^|;)((?:script|connect|img|frame)-src) ([^;]*)/g, `$1$2 $3 ${GOOGLE_ADS}`),
  );
}
