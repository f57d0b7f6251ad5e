import type { OwnFrame } from '@framelift/contract';
import { Button, Skeleton, Switch, Text, Title } from '@mantine/core';
import IconUsers from '@tabler/icons-react/icons/IconUsers';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { frameSendersQuery, setFrameSender } from '../../api/frames.ts';
import { QueryState } from '../../ui/QueryState.tsx';
import { showToast } from '../../ui/toasts.ts';
import classes from './FramePage.module.css';

/** The member's friends, each with a switch: whether they may send pictures to this frame. */
export function Senders({ frame: { id, name } }: { frame: OwnFrame }) {
  const { t } = useTranslation('frames');
  const query = useQuery(frameSendersQuery(id));
  const change = useMutation(setFrameSender(id));
  const changing = change.isPending ? change.variables : null;
  const set = (friend: { friend: string; name: string }, allowed: boolean) =>
    change.mutate(
      { friend: friend.friend, allowed },
      {
        onSuccess: () =>
          showToast({
            kind: 'success',
            text: t(allowed ? 'friends.allowed' : 'friends.withdrawn', { friend: friend.name, name }),
          }),
      },
    );
  return (
    <section className={classes.group}>
      <h2 className={classes.groupTitle}>{t('friends.title')}</h2>
      <Text c="dimmed">{t('friends.text')}</Text>
      <QueryState query={query} loading={<Skeleton className={classes.row} />} failed={t('friends.failed')}>
        {(senders) =>
          senders.length === 0 ? (
            <div className={classes.empty}>
              <IconUsers size="3rem" stroke={1.2} aria-hidden />
              <Title order={3}>{t('friends.none')}</Title>
              <Text c="dimmed">{t('friends.noneText')}</Text>
              <Button component={Link} to="/member/addfriend" variant="default">
                {t('friends.add')}
              </Button>
            </div>
          ) : (
            <ul className={classes.rows}>
              {senders.map((sender) => (
                <li key={sender.friend} className={classes.row}>
                  <Switch
                    size="md"
                    labelPosition="left"
                    classNames={{ body: classes.switch ?? '', labelWrapper: classes.switchLabel ?? '' }}
                    label={sender.name}
                    checked={changing?.friend === sender.friend ? changing.allowed : sender.allowed}
                    onChange={(event) => set(sender, event.currentTarget.checked)}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </section>
  );
}
