import { type Html, html, markup } from '../platform/html.ts';

/** HTML of the few pages that the server renders itself, without scripts. */

const STYLE = `
:root{color-scheme:light dark;--ink:#212529;--soft:#5c636a;--paper:#fff;--ground:#f1f3f5;--line:#dee2e6;--link:#0b7285}
@media (prefers-color-scheme:dark){:root{--ink:#e9ecef;--soft:#a5adb5;--paper:#1f2226;--ground:#141618;--line:#373d43;--link:#66d9e8}}
*{box-sizing:border-box}
body{margin:0;padding:24px 16px 64px;background:var(--ground);color:var(--ink);font:16px/1.6 system-ui,-apple-system,'Segoe UI','Noto Sans','Noto Sans CJK TC','Noto Sans CJK JP',sans-serif}
main{max-width:860px;margin:0 auto}
h1{font-size:24px;margin:8px 0 16px}h2{font-size:18px;margin:32px 0 8px}
a{color:var(--link)}
.mark{font-weight:700}.mark i{font-style:normal;color:#e03131}.mark b{color:var(--link)}
.card{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:16px;margin:0 0 12px;overflow-wrap:anywhere}
.card>:first-child{margin-top:0}
.soft{color:var(--soft);font-size:14px}
code,pre{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere;margin:8px 0 0}
table{border-collapse:collapse;width:100%;font-size:14px}th,td{text-align:left;vertical-align:top;padding:4px 12px 4px 0}th{font-weight:600;white-space:nowrap;width:1%}
summary{cursor:pointer}
.verb{display:inline-block;min-width:56px;font-weight:700;color:var(--link)}
iframe{width:100%;height:520px;border:1px solid var(--line);border-radius:10px;background:#fff}
`;

/** Returns a whole page. `refreshSeconds` makes the browser reload it. */
export function page(title: string, body: Html, options: { refreshSeconds?: number } = {}): string {
  const refresh = options.refreshSeconds
    ? html`<meta http-equiv="refresh" content="${options.refreshSeconds}">`
    : html``;
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<link rel="icon" href="/favicon.svg"><title>${title}</title><style>${markup(STYLE)}</style></head>
<body><main><p class="mark"><i>Frame</i><b>lift</b></p>
<h1>${title}</h1>
${body}
</main></body>
</html>
`.text;
}
