import type { Store } from '@framelift/contract';
import classes from './Store.module.css';

/** Icon of a store, or the first letter of its name. Its name stands beside it. */
export function StoreIcon({ store, large = false }: { store: Pick<Store, 'name' | 'icon'>; large?: boolean }) {
  return (
    <span className={classes.icon} data-large={large || undefined} aria-hidden>
      {store.icon === null ? Array.from(store.name)[0] : <img src={store.icon} alt="" />}
    </span>
  );
}
