import type { MediaDetail } from '@framelift/contract';
import type { LoadedParts } from '@framelift/engine/webgl';
import { Button, Stack, Text, Title } from '@mantine/core';
import IconAdjustmentsHorizontal from '@tabler/icons-react/icons/IconAdjustmentsHorizontal';
import { type CSSProperties, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ModePicker, type ResultMode } from '../../shared/depth-view/ModePicker.tsx';
import { ShareButton } from '../../shared/share/ShareButton.tsx';
import { ShowOnFrameButton } from '../../shared/show-on-frame/ShowOnFrameButton.tsx';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { AddToAlbumButton } from './AddToAlbumButton.tsx';
import { CompareView } from './CompareView.tsx';
import { ChangePanel } from './change/ChangePanel.tsx';
import { useDraft } from './change/use-draft.ts';
import { DeleteButton } from './DeleteButton.tsx';
import { Downloads } from './Downloads.tsx';
import { Facts } from './Facts.tsx';
import { PictureNotes } from './PictureNotes.tsx';
import classes from './ResultView.module.css';
import { VideoView } from './VideoView.tsx';

const DepthView = lazyNamed(() => import('../../shared/depth-view/DepthView.tsx'), 'DepthView');
const CropAgain = lazyNamed(() => import('./change/CropAgain.tsx'), 'CropAgain');
const DepthEditor = lazyNamed(() => import('./depth/DepthEditor.tsx'), 'DepthEditor');

/** Number of views in the sweep for a frame without a quilt. */
const USUAL_VIEWS = 48;

/** The finished media: views, downloads and changes. */
export function FinishedResult({ media, onGone }: { media: MediaDetail; onGone: () => void }) {
  const { t } = useTranslation('result');
  const { open } = useUploadDialog();
  const [mode, setMode] = useState<ResultMode>('parallax');
  const [editing, setEditing] = useState<'crop' | 'depth' | null>(null);
  const [parts, setParts] = useState<LoadedParts | null>(null);
  const draft = useDraft(media, parts);
  // What belongs to a product can be looked at and downloaded, and not changed.
  const { preview, name, deviceType, film: video, product } = media;
  const look = {
    strength: draft.strength,
    budget: deviceType.disparityBudget,
    convergence: draft.convergence ?? undefined,
    onParts: setParts,
  };
  const size = media.crop ?? { width: 3, height: 4 };
  const shape = { '--aspect': size.width / size.height } as CSSProperties;
  const label = t('label', { name });

  const close = () => setEditing(null);
  if (editing === 'crop' && media.whole && media.source) {
    return (
      <Suspense fallback={<Spinner />}>
        <CropAgain media={media} whole={media.whole} source={media.source} onClose={close} />
      </Suspense>
    );
  }
  if (editing === 'depth' && preview) {
    return (
      <Suspense fallback={<Spinner />}>
        <DepthEditor media={media} parts={preview} onClose={close} />
      </Suspense>
    );
  }
  return (
    <div className={classes.layout}>
      <div className={classes.preview} style={shape}>
        {video ? (
          <VideoView media={media} video={video} />
        ) : preview ? (
          <>
            <div className={classes.stage} data-guide="result">
              <Suspense fallback={<img className={classes.cover} src={preview.colour} alt="" />}>
                {mode === 'compare' ? (
                  <CompareView parts={preview} size={size} label={label} {...look} />
                ) : (
                  <DepthView
                    parts={preview}
                    size={size}
                    mode={mode}
                    {...look}
                    label={label}
                    views={deviceType.quilt ? deviceType.quilt.columns * deviceType.quilt.rows : USUAL_VIEWS}
                  />
                )}
              </Suspense>
            </div>
            <ModePicker value={mode} onChange={setMode} />
            <p className={classes.hint}>{t(`hints.${mode}`)}</p>
          </>
        ) : (
          media.cover && <img className={classes.cover} src={media.picture ?? media.cover} alt={name} />
        )}
      </div>

      <div className={classes.panel}>
        <Stack gap={4}>
          <Title order={1}>{video ? t('videoTitle') : preview ? t('title') : t('flatTitle')}</Title>
          <Text c="dimmed" className={classes.title}>
            {name}
          </Text>
        </Stack>
        {media.effect === 0 && <Text>{video ? t('flatVideo') : t('flat')}</Text>}
        <PictureNotes notes={media.notes} />
        <ShowOnFrameButton mediaIds={[media.id]} variant="light" />
        <Downloads media={media} />
        {!product && (
          <>
            <ShareButton media={media} />
            <ChangePanel media={media} draft={draft} onEdit={setEditing} />
          </>
        )}
        <Facts media={media} />
        {!product && (
          <Stack gap="xs" align="stretch">
            <Button
              variant="default"
              leftSection={<IconAdjustmentsHorizontal size="1.1em" aria-hidden />}
              onClick={() => open({ deviceTypeId: media.device_type_id })}
            >
              {t('again')}
            </Button>
            <AddToAlbumButton id={media.id} />
            <DeleteButton media={media} onGone={onGone} />
          </Stack>
        )}
      </div>
    </div>
  );
}
