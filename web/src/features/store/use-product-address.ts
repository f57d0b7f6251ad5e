import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** `buy` shows the prices, `preview` only the pictures. */
export type ProductMode = 'buy' | 'preview';

interface State {
  /** The product was opened from the page below, to which "back" leads. */
  readonly productOpened?: true;
}

/**
 * The product that is open over a page, kept in the address: it can be passed on and reloaded, and "back" closes it.
 */
export function useProductAddress() {
  const navigate = useNavigate();
  const { pathname, search, state, key } = useLocation();
  /** Going back takes a moment: closing again meanwhile would leave the page below. */
  const isLeaving = useRef(false);
  // Every other entry of the history can be left again.
  useEffect(() => {
    isLeaving.current = false;
  }, [key]);
  const query = new URLSearchParams(search);
  const text = query.get('product') ?? '';
  const addressOf = (id: number, mode: ProductMode) => {
    const next = new URLSearchParams(search);
    next.set('product', String(id));
    if (mode === 'preview') next.set('mode', mode);
    else next.delete('mode');
    return `${pathname}?${next}`;
  };
  return {
    id: /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null,
    mode: (query.get('mode') === 'preview' ? 'preview' : 'buy') as ProductMode,
    addressOf,
    open: (id: number, mode: ProductMode) =>
      navigate(addressOf(id, mode), { state: { ...(state as State | null), productOpened: true } }),
    /** Stays on the same entry of the history. */
    changeMode: (id: number, mode: ProductMode) => navigate(addressOf(id, mode), { replace: true, state }),
    close: () => {
      if (isLeaving.current) return;
      isLeaving.current = true;
      if ((state as State | null)?.productOpened) return navigate(-1);
      query.delete('product');
      query.delete('mode');
      return navigate(query.size === 0 ? pathname : `${pathname}?${query}`, { replace: true });
    },
  };
}
