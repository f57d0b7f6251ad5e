import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import classes from './Dropdown.module.css';

export interface DropdownItem {
  readonly key: string;
  readonly label: ReactNode;
  readonly icon?: ReactNode;
  /** For single-choice items: whether the item is selected. */
  readonly checked?: boolean;
  /** Language of the label, if it differs from the page's. */
  readonly lang?: string;
  /** Link target; alternatively the action. */
  readonly to?: string;
  readonly onSelect?: () => void;
}

/**
 * A button with a menu below it. Arrow keys, Home, End and Escape work as usual in menus; a click outside closes it;
 * the focus returns to the button. The `data-expanded` attribute exposes the state to style sheets.
 */
export function Dropdown({
  label,
  items,
  className,
  children,
}: {
  /** Accessible name of the button. */
  label: string;
  items: readonly DropdownItem[];
  className?: string | undefined;
  /** Content of the button. */
  children: (expanded: boolean) => ReactNode;
}) {
  const [expanded, setExpanded] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
  const close = () => {
    setExpanded(false);
    button.current?.focus();
  };

  useEffect(() => {
    if (!expanded) return;
    const list = entries();
    (list.find((entry) => entry.getAttribute('aria-checked') === 'true') ?? list[0])?.focus();
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setExpanded(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [expanded]);

  const onKeyDown = (event: KeyboardEvent) => {
    const list = entries();
    const now = list.indexOf(document.activeElement as HTMLElement);
    const next = {
      ArrowDown: (now + 1) % list.length,
      ArrowUp: (now - 1 + list.length) % list.length,
      Home: 0,
      End: list.length - 1,
    }[event.key];
    if (event.key === 'Escape') close();
    else if (next !== undefined && expanded) list[next]?.focus();
    else if (event.key === 'ArrowDown') setExpanded(true);
    else return;
    event.preventDefault();
  };

  return (
    // Key events bubble up to here from the button and the menu items.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div ref={root} className={`${classes.root} ${className ?? ''}`} data-expanded={expanded} onKeyDown={onKeyDown}>
      <UnstyledButton
        ref={button}
        className={classes.button}
        aria-haspopup="menu"
        aria-expanded={expanded}
        aria-controls={expanded ? id : undefined}
        onClick={() => setExpanded(!expanded)}
      >
        <VisuallyHidden>{label} </VisuallyHidden>
        {children(expanded)}
      </UnstyledButton>
      {expanded && (
        <div id={id} role="menu" aria-label={label} className={classes.menu}>
          {items.map(({ key, label, icon, checked, lang, to, onSelect }) => {
            const shared = {
              role: checked === undefined ? 'menuitem' : 'menuitemradio',
              'aria-checked': checked,
              tabIndex: -1,
              className: classes.item,
              lang,
              onClick: () => {
                close();
                onSelect?.();
              },
            };
            const content = (
              <>
                {icon}
                <span>{label}</span>
              </>
            );
            return to === undefined ? (
              <UnstyledButton key={key} {...shared}>
                {content}
              </UnstyledButton>
            ) : (
              <Link key={key} to={to} {...shared}>
                {content}
              </Link>
            );
          })}
        </div>
      )}
    </div>
  );
}
