import { lexer, type MarkedToken, type Token } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './Markdown.module.css';
import { pathOf, urlOf } from './safe-link.ts';

interface Props {
  readonly text: string;
  /** Level of the uppermost headings, which are written with one # or two. */
  readonly order?: 2 | 3 | 4;
  /** First part of the ids of the headings; without it they have none. */
  readonly anchors?: string;
}

/** Everything that a token may be; the lexer also has types for extensions, of which there are none. */
const read = (text: string) => lexer(text, { gfm: false }) as MarkedToken[];
const known = (tokens: readonly Token[] = []) => tokens as readonly MarkedToken[];

const isTopHeading = (token: MarkedToken) => token.type === 'heading' && token.depth <= 2;

/** Returns the uppermost headings of a text, with the ids that `Markdown` gives them. */
export function headingsOf(text: string, anchors: string): { readonly id: string; readonly title: string }[] {
  return read(text)
    .filter(isTopHeading)
    .map((token, index) => ({ id: `${anchors}-${index + 1}`, title: plain([token]) }));
}

/**
 * Text of operators in a small part of Markdown: headings, paragraphs, lists, quotes, emphasis, code, rules and links. It is
 * made of elements and never of HTML: tags in the text are shown as they are written, and links lead to pages of this site,
 * to web pages and to mail addresses alone. Instead of pictures there is their description.
 */
export function Markdown({ text, order = 3, anchors }: Props) {
  let count = 0;
  return (
    <div className={classes.text}>
      {read(text).map((token, index) => (
        <Fragment key={index}>
          {block(token, order, anchors && isTopHeading(token) ? `${anchors}-${++count}` : undefined)}
        </Fragment>
      ))}
    </div>
  );
}

function block(token: MarkedToken, order: number, id?: string): ReactNode {
  const inside = (tokens: readonly Token[]) =>
    known(tokens).map((one, index) => <Fragment key={index}>{block(one, order)}</Fragment>);
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading': {
      const Heading = `h${Math.min(6, order + Math.max(0, token.depth - 2))}` as 'h2';
      return <Heading id={id}>{inline(token.tokens)}</Heading>;
    }
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>;
    case 'list': {
      const items = token.items.map((item, index) => <li key={index}>{inside(item.tokens)}</li>);
      return token.ordered ? <ol start={token.start === '' ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'blockquote':
      return <blockquote>{inside(token.tokens)}</blockquote>;
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      );
    case 'hr':
      return <hr />;
    case 'html':
      return <p>{token.raw}</p>;
    default:
      return inline([token]);
  }
}

function inline(tokens: readonly Token[]): ReactNode {
  return known(tokens).map((token, index) => {
    return <Fragment key={index}>{span(token)}</Fragment>;
  });
}

function span(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>;
    case 'em':
      return <em>{inline(token.tokens)}</em>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return anchor(token.href, inline(token.tokens));
    case 'image':
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? inline(token.tokens) : token.text;
    default:
      return token.raw;
  }
}

function anchor(href: string, content: ReactNode): ReactNode {
  const path = pathOf(href);
  if (path !== null) return <Link to={path}>{content}</Link>;
  const url = urlOf(href);
  if (url === null) return content;
  return (
    <a href={url} rel="noreferrer" target="_blank">
      {content}
    </a>
  );
}

/** Returns the text of tokens without its marks. */
function plain(tokens: readonly Token[]): string {
  return known(tokens)
    .map((token) => ('tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? token.text : ''))
    .join('');
}
