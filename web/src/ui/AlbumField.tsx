import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Album } from './alerts.ts';

/** Selects one album; typing filters the list. */
export function AlbumField({
  label,
  albums,
  value,
  onChange,
}: {
  label: string;
  albums: readonly Album[];
  value: string | null;
  onChange: (id: string | null) => void;
}) {
  const { t } = useTranslation();
  return (
    <Select
      label={label}
      size="md"
      searchable
      clearable
      placeholder={t('chooseAlbum')}
      nothingFoundMessage={t('noAlbum')}
      data={albums.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      clearButtonProps={{ 'aria-label': t('clear') }}
    />
  );
}
