import { type Language, LIMITS } from '@framelift/contract';
import { Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { checkLiveSource } from '../../../api/admin.ts';
import { isCallError } from '../../../api/client.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { currentLanguage } from '../../../i18n/index.ts';
import { LocalizedFields } from '../shop/LocalizedFields.tsx';

interface Props {
  /** From 1. */
  readonly number: number;
  readonly source: string;
  readonly name: (language: Language) => ComponentProps<'input'> & ComponentProps<'textarea'>;
  readonly address: ComponentProps<'input'>;
  /** Moves it up; undefined for the first. */
  readonly onMove: (() => void) | undefined;
  /** Undefined for the last one that is left. */
  readonly onRemove: (() => void) | undefined;
}

/** Fields of one angle: its name and its stream, which can be tried. */
export function AngleFields({ number, source, name, address, onMove, onRemove }: Props) {
  const { t } = useTranslation('adminLive');
  const check = useMutation({ mutationFn: () => checkLiveSource(source.trim()) });
  return (
    <Fieldset legend={t('angle', { number })}>
      <Stack gap="sm">
        <LocalizedFields label={t('angleName')} maxLength={LIMITS.shop.titleLength} required props={name} />
        <TextInput
          size="md"
          label={t('source')}
          description={t('sourceHint')}
          type="text"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          withAsterisk
          {...(address as object)}
        />
        <Group gap="xs">
          <Button
            variant="default"
            disabled={source.trim() === ''}
            loading={check.isPending}
            aria-label={t('tryOf', { number })}
            onClick={() => check.mutate()}
          >
            {t('try')}
          </Button>
          {onMove && (
            <Button variant="default" aria-label={t('moveUpOf', { number })} onClick={onMove}>
              {t('moveUp')}
            </Button>
          )}
          {onRemove && (
            <Button variant="default" aria-label={t('removeOf', { number })} onClick={onRemove}>
              {t('remove')}
            </Button>
          )}
        </Group>
        <Text size="sm" role="status">
          {!check.isPending && <Outcome found={check.data} error={check.error} />}
        </Text>
      </Stack>
    </Fieldset>
  );
}

interface Found {
  readonly found: Awaited<ReturnType<typeof checkLiveSource>> | undefined;
  readonly error: Error | null;
}

function Outcome({ found, error }: Found) {
  const { t } = useTranslation('adminLive');
  if (error) return isCallError(error) ? error.message : t('failed');
  if (!found) return null;
  const { trouble, status } = found;
  if (trouble) return t(`troubles.${trouble}`, { status });
  const seconds = formatNumber(found.segment_seconds, currentLanguage());
  return `${t('ok', { count: found.variants, seconds })} ${t(found.has_time ? 'hasTime' : 'noTime')}`;
}
