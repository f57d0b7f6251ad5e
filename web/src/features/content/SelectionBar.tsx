import type { Media } from '@framelift/contract';
import { ActionIcon, Button, Text } from '@mantine/core';
import IconAlbum from '@tabler/icons-react/icons/IconAlbum';
import IconBadge3d from '@tabler/icons-react/icons/IconBadge3d';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import IconPhotoMinus from '@tabler/icons-react/icons/IconPhotoMinus';
import IconTrash from '@tabler/icons-react/icons/IconTrash';
import IconX from '@tabler/icons-react/icons/IconX';
import { useTranslation } from 'react-i18next';
import { ShowOnFrameButton } from '../../shared/show-on-frame/ShowOnFrameButton.tsx';
import classes from './SelectionBar.module.css';
import type { useMediaActions } from './use-media-actions.ts';
import { useZip } from './use-zip.ts';

interface Props {
  readonly media: readonly Media[];
  readonly inAlbum: boolean;
  /** They can be looked at, and not changed. */
  readonly fixed: boolean;
  readonly actions: ReturnType<typeof useMediaActions>;
  readonly onAll: () => void;
  readonly onEnd: () => void;
}

/** What can be done with the selected media. It stays in view at the lower edge. */
export function SelectionBar({ media, inAlbum, fixed, actions, onAll, onEnd }: Props) {
  const { t } = useTranslation('content');
  const zip = useZip();
  const none = media.length === 0;
  const thenEnd = async (done: Promise<boolean>) => {
    if (await done) onEnd();
  };
  return (
    <section className={classes.bar} aria-label={t('selection.label')}>
      <div className={classes.state}>
        <ActionIcon aria-label={t('selection.end')} onClick={onEnd}>
          <IconX size="1.25rem" aria-hidden />
        </ActionIcon>
        {zip.progress ? (
          <>
            <Text role="status">{t('selection.preparing', { ...zip.progress })}</Text>
            <Button variant="subtle" onClick={zip.cancel}>
              {t('selection.cancel')}
            </Button>
          </>
        ) : (
          <>
            <Text role="status" fw={500}>
              {t('selection.count', { count: media.length })}
            </Text>
            <Button variant="subtle" onClick={onAll}>
              {t('selection.all')}
            </Button>
          </>
        )}
      </div>
      <div className={classes.actions}>
        <Button
          variant="default"
          leftSection={<IconDownload size="1.25rem" aria-hidden />}
          disabled={none || zip.progress !== null}
          onClick={() => void zip.start(media)}
        >
          {t('selection.download')}
        </Button>
        {!fixed && (
          <Button
            variant="default"
            leftSection={<IconAlbum size="1.25rem" aria-hidden />}
            disabled={none}
            onClick={() => void thenEnd(actions.addToAlbum(media))}
          >
            {t('selection.addToAlbum')}
          </Button>
        )}{' '}
        <ShowOnFrameButton mediaIds={media.map(({ id }) => id)} disabled={none} onDone={onEnd} />
        {!fixed && (
          <>
            {' '}
            <Button
              variant="default"
              leftSection={<IconBadge3d size="1.25rem" aria-hidden />}
              disabled={none}
              loading={actions.isImproving}
              onClick={() => void thenEnd(actions.improve(media))}
            >
              {t('selection.improve')}
            </Button>
            {inAlbum && (
              <Button
                variant="default"
                leftSection={<IconPhotoMinus size="1.25rem" aria-hidden />}
                disabled={none}
                onClick={() => void thenEnd(actions.removeFromAlbum(media))}
              >
                {t('selection.removeFromAlbum')}
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconTrash size="1.25rem" aria-hidden />}
              disabled={none}
              loading={actions.isRemoving}
              onClick={() => void thenEnd(actions.remove(media))}
            >
              {t('selection.delete')}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}
