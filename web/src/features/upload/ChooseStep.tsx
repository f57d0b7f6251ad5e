import { FILE_TYPES, type FileKind, fileTypes } from '@framelift/contract';
import { Badge, Button, Stack, Text, Title } from '@mantine/core';
import IconCamera from '@tabler/icons-react/icons/IconCamera';
import IconMovie from '@tabler/icons-react/icons/IconMovie';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../api/session.ts';
import { errorText } from '../../i18n/error-text.ts';
import { FileButton } from '../../ui/FileButton.tsx';
import classes from './ChooseStep.module.css';
import { acceptOf } from './file-rules.ts';
import { useAcceptedTypes } from './use-accepted-types.ts';
import type { useTaking } from './use-taking.ts';

/** Step 0: photos from the files, the camera, the clipboard or by drag and drop; videos for VIPs and by plan. */
export function ChooseStep({ problem, take, refuse }: ReturnType<typeof useTaking>) {
  const { t } = useTranslation('upload');
  const session = useSession();
  const [dragged, setDragged] = useState(false);
  const accepted = useAcceptedTypes();
  const namesOf = (kind: FileKind) =>
    fileTypes(kind, accepted)
      .map((type): string => FILE_TYPES[type].name)
      .reduce((list, next) => t('choose.list', { list, next }));
  const videoSeconds = session.kind === 'member' ? session.user.videoSeconds : 0;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDragged(false);
    void take([...event.dataTransfer.files]);
  };

  return (
    // Dropping is an alternative to the buttons below, so it needs no keyboard support.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      className={classes.place}
      data-dragged={dragged || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setDragged(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDragged(false);
      }}
      onDrop={drop}
    >
      <Stack align="center" gap="xl" className={classes.inner}>
        <Stacked />
        <Stack align="center" gap="xs">
          <Title order={2} ta="center">
            {t('choose.heading')}
          </Title>
          <Text c="dimmed" ta="center" className={classes.drop}>
            {dragged ? t('choose.dropNow') : t('choose.drop')}
          </Text>
        </Stack>
        <Stack gap="sm" className={classes.buttons}>
          <FileButton accept={acceptOf('picture', accepted)} multiple onFiles={(files) => void take(files, 'picture')}>
            {(open) => (
              <Button
                size="lg"
                leftSection={<IconPhoto aria-hidden />}
                onClick={open}
                data-autofocus
                data-guide="photo"
              >
                {t('choose.photo')}
              </Button>
            )}
          </FileButton>
          <FileButton accept="image/*" capture onFiles={(files) => void take(files, 'picture')}>
            {(open) => (
              <Button
                size="lg"
                variant="default"
                className={classes.camera}
                leftSection={<IconCamera aria-hidden />}
                onClick={open}
              >
                {t('choose.camera')}
              </Button>
            )}
          </FileButton>
          {session.kind === 'member' && (
            <FileButton accept={acceptOf('video', accepted)} multiple onFiles={(files) => void take(files, 'video')}>
              {(open) => (
                <Button
                  size="lg"
                  variant="subtle"
                  color="gray"
                  leftSection={<IconMovie aria-hidden />}
                  rightSection={<Badge variant="light">{t('choose.vip')}</Badge>}
                  onClick={videoSeconds > 0 ? open : () => void refuse('not_VIP')}
                >
                  {t('choose.video')}
                </Button>
              )}
            </FileButton>
          )}
        </Stack>
        {problem && (
          <Text role="alert" c="var(--mantine-color-error)" ta="center">
            {errorText(problem)}
          </Text>
        )}
        <Text size="sm" c="dimmed" ta="center">
          {t('choose.formats', { pictures: namesOf('picture') })}
          {videoSeconds > 0 &&
            ` ${t('choose.videoFormats', { videos: namesOf('video'), minutes: Math.max(1, Math.floor(videoSeconds / 60)) })}`}
        </Text>
      </Stack>
    </div>
  );
}

/** Drawing of a picture lifted out of its frame. */
function Stacked() {
  return (
    <div className={classes.drawing} aria-hidden>
      <span className={classes.far} />
      <span className={classes.middle} />
      <span className={classes.near} />
    </div>
  );
}
