import type { Store } from '@framelift/contract';
import { UnstyledButton } from '@mantine/core';
import IconLayoutGrid from '@tabler/icons-react/icons/IconLayoutGrid';
import { useTranslation } from 'react-i18next';
import classes from './Store.module.css';
import { StoreIcon } from './StoreIcon.tsx';

interface Props {
  readonly stores: readonly Store[];
  /** Null shows the products of all stores. */
  readonly chosen: number | null;
  readonly onChoose: (store: number | null) => void;
}

/** The icons of the stores; one shows its products alone. */
export function StoreRow({ stores, chosen, onChoose }: Props) {
  const { t } = useTranslation('store');
  return (
    <ul className={classes.stores} aria-label={t('stores')}>
      <li>
        <UnstyledButton className={classes.store} aria-pressed={chosen === null} onClick={() => onChoose(null)}>
          <span className={classes.icon} data-large aria-hidden>
            <IconLayoutGrid />
          </span>
          <span className={classes.storeName}>{t('all')}</span>
        </UnstyledButton>
      </li>
      {stores.map((store) => (
        <li key={store.id}>
          <UnstyledButton
            className={classes.store}
            aria-pressed={chosen === store.id}
            onClick={() => onChoose(chosen === store.id ? null : store.id)}
          >
            <StoreIcon store={store} large />
            <span className={classes.storeName}>{store.name}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
