import type { DeviceType } from '@framelift/contract';
import { DEVICES } from '@framelift/engine/formats';
import type { Texts } from '@framelift/texts';
import { useTranslation } from 'react-i18next';

type NameKey = keyof Texts['devices']['names'];

/** A key of texts holds no dot. */
const keyOf = new Map(DEVICES.map(({ name, slug }) => [name, slug.replaceAll('.', '_') as NameKey]));

/** Returns a function that names a device type in the language of the page. Names written by operators stay as they are. */
export function useDeviceName(): (device: Pick<DeviceType, 'name'>) => string {
  const { t } = useTranslation('devices');
  return ({ name }) => {
    const key = keyOf.get(name);
    return key === undefined ? name : t(`names.${key}`);
  };
}
