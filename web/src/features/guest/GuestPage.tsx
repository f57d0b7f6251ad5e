import { LIMITS } from '@framelift/contract';
import { Button, CloseButton, Group, Stack, Text, Title } from '@mantine/core';
import IconPhotoPlus from '@tabler/icons-react/icons/IconPhotoPlus';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { leaveGuestMode } from '../../api/session.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { showAlert } from '../../ui/alerts.ts';
import classes from './GuestPage.module.css';

/**
 * The only page of a guest. `pictures` is the list of conversions, `picture` renders the one in the parameter `media`.
 */
export function GuestPage({ pictures, picture }: { pictures: ReactNode; picture: (id: string) => ReactNode }) {
  const { t } = useTranslation('guest');
  const { t: common } = useTranslation();
  const { open } = useUploadDialog();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const media = query.get('media');
  const [hidden, setHidden] = useState(false);

  const leave = async () => {
    const { button } = await showAlert({
      title: t('keepTitle'),
      content: t('keepText'),
      buttons: [
        { value: 'cancel', label: common('cancel') },
        { value: 'login', label: t('login') },
        { value: 'register', label: t('register'), look: 'primary' },
      ],
    });
    if (button === null || button === 'cancel') return;
    leaveGuestMode(queries);
    // Runs after the guard of this page, which redirects to the start page once the guest session has ended.
    setTimeout(() => navigate(`/${button}`, { replace: true }), 0);
  };

  return (
    <Stack className={classes.page} gap="xl">
      {media ? (
        <Stack>
          {!hidden && (
            <div className={classes.line}>
              <Text size="sm">{t('short', LIMITS.guest)}</Text>
              <Button variant="subtle" size="compact-md" onClick={() => void leave()}>
                {t('keep')}
              </Button>
              <CloseButton aria-label={common('close')} onClick={() => setHidden(true)} />
            </div>
          )}
          <Button component={Link} to="/guestPage" variant="subtle" className={classes.back ?? ''}>
            {t('all')}
          </Button>
          {picture(media)}
        </Stack>
      ) : (
        <>
          <Stack className={classes.notice} gap="md">
            <Title order={1}>{t('title')}</Title>
            <Text>{t('notice', LIMITS.guest)}</Text>
            <Group>
              <Button leftSection={<IconPhotoPlus size={20} aria-hidden />} onClick={() => open()}>
                {t('convert')}
              </Button>
              <Button variant="default" onClick={() => void leave()}>
                {t('keep')}
              </Button>
            </Group>
          </Stack>
          <section aria-labelledby="mine">
            <Title order={2} id="mine" size="h3" mb="md">
              {t('mine')}
            </Title>
            {pictures}
          </section>
        </>
      )}
    </Stack>
  );
}
