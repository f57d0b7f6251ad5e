import type { PairedFrame } from '@framelift/contract';
import { ActionIcon } from '@mantine/core';
import IconPencil from '@tabler/icons-react/icons/IconPencil';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './Frames.module.css';
import { RenameFrame } from './RenameFrame.tsx';

/** The name of a frame, which is changed in place. `children` is the heading. */
export function FrameName({ frame, children }: { frame: PairedFrame; children: ReactNode }) {
  const { t } = useTranslation('frames');
  const [renaming, setRenaming] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const end = () => {
    setRenaming(false);
    requestAnimationFrame(() => pencil.current?.focus());
  };
  if (renaming) return <RenameFrame frame={frame} onEnd={end} />;
  return (
    <div className={classes.name}>
      {children}
      <ActionIcon ref={pencil} aria-label={t('rename', { name: frame.name })} onClick={() => setRenaming(true)}>
        <IconPencil size="1.25rem" stroke={1.5} aria-hidden />
      </ActionIcon>
    </div>
  );
}
