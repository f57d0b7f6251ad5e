import type { FrameItem, OwnFrame } from '@framelift/contract';
import { ActionIcon, Menu } from '@mantine/core';
import IconArrowBarToUp from '@tabler/icons-react/icons/IconArrowBarToUp';
import IconArrowDown from '@tabler/icons-react/icons/IconArrowDown';
import IconArrowUp from '@tabler/icons-react/icons/IconArrowUp';
import IconDotsVertical from '@tabler/icons-react/icons/IconDotsVertical';
import IconPhotoMinus from '@tabler/icons-react/icons/IconPhotoMinus';
import IconUserOff from '@tabler/icons-react/icons/IconUserOff';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fitFrameItem, removeFrameItems, restoreFrameItems, setFrameSender } from '../../../api/frames.ts';
import { ActionMenu } from '../../../ui/ActionMenu.tsx';
import { confirm } from '../../../ui/confirm.ts';
import { showToast } from '../../../ui/toasts.ts';

interface Props {
  readonly frame: OwnFrame;
  readonly item: FrameItem;
  readonly index: number;
  readonly total: number;
  readonly onMove: (index: number) => void;
  readonly onGone: () => void;
}

const FITS = ['fit', 'fill'] as const;
/** Value of the choice to follow the frame. */
const AS_FRAME = 'frame';

/** The actions of one item. Moving is offered here too, for whoever cannot drag. */
export function ItemMenu({ frame, item, index, total, onMove, onGone }: Props) {
  const { t } = useTranslation('frames');
  const { t: common } = useTranslation();
  const { id, name, sender, friend } = item;
  const fit = useMutation(fitFrameItem(frame.id));
  const remove = useMutation(removeFrameItems(frame.id));
  const restore = useMutation(restoreFrameItems(frame.id));

  const undo = () =>
    restore.mutateAsync([id]).then(
      () => showToast({ kind: 'success', text: t('items.restored', { name }) }),
      () => {},
    );
  const removed = () => {
    onGone();
    const action = { label: common('undo'), run: () => void undo() };
    showToast({ kind: 'info', text: t('items.removed', { name }), action });
  };
  return (
    <ActionMenu width="max-content">
      <Menu.Target>
        <ActionIcon aria-label={t('items.actions', { name })} loading={remove.isPending}>
          <IconDotsVertical size="1.25rem" stroke={1.5} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw="calc(100vw - 2rem)">
        <Menu.Item
          leftSection={<IconArrowUp size="1.125rem" aria-hidden />}
          disabled={index === 0}
          onClick={() => onMove(index - 1)}
        >
          {t('items.up')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowDown size="1.125rem" aria-hidden />}
          disabled={index === total - 1}
          onClick={() => onMove(index + 1)}
        >
          {t('items.down')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowBarToUp size="1.125rem" aria-hidden />}
          disabled={index === 0}
          onClick={() => onMove(0)}
        >
          {t('items.top')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.RadioGroup
          value={item.fit ?? AS_FRAME}
          onChange={(value) => fit.mutate({ item: id, fit: FITS.find((one) => one === value) ?? null })}
        >
          <Menu.RadioItem value={AS_FRAME} closeMenuOnClick>
            {t('items.fitFrame')}
          </Menu.RadioItem>
          {FITS.map((value) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick>
              {t(`options.fit.${value}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconPhotoMinus size="1.125rem" aria-hidden />}
          onClick={() => remove.mutateAsync([id]).then(removed, () => {})}
        >
          {t('items.remove')}
        </Menu.Item>
        {sender !== null && friend !== null && (
          <StopSender frame={frame} friend={friend} name={sender} onGone={onGone} />
        )}
      </Menu.Dropdown>
    </ActionMenu>
  );
}

interface SenderProps {
  readonly frame: OwnFrame;
  readonly friend: string;
  readonly name: string;
  readonly onGone: () => void;
}

/** Withdraws the permission of the friend who sent an item; everything that they sent goes with it. */
function StopSender({ frame, friend, name, onGone }: SenderProps) {
  const { t } = useTranslation('frames');
  const withdraw = useMutation(setFrameSender(frame.id));
  const stop = async () => {
    const question = {
      title: t('friends.stopTitle', { name }),
      content: t('friends.stopText'),
      label: t('friends.stop'),
    };
    if (!(await confirm(question))) return;
    const stopped = () => {
      onGone();
      showToast({ kind: 'success', text: t('friends.withdrawn', { friend: name, name: frame.name }) });
    };
    withdraw.mutateAsync({ friend, allowed: false }).then(stopped, () => {});
  };
  return (
    <Menu.Item leftSection={<IconUserOff size="1.125rem" aria-hidden />} color="red" onClick={() => void stop()}>
      {t('items.stop', { name })}
    </Menu.Item>
  );
}
