import { type Share, sharedTitle } from '@framelift/contract';

/** Returns the HTML that shows a public link on another website. Its frame has the ratio of the picture. */
export function embedCode({ embed, name, size }: Share): string {
  const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const style = `border:0;width:100%;aspect-ratio:${size.width}/${size.height}`;
  const allow = 'fullscreen; accelerometer; gyroscope';
  return `<iframe src="${escaped(embed)}" title="${escaped(sharedTitle(name))}" style="${style}" allow="${allow}" loading="lazy"></iframe>`;
}
