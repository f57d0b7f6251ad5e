import { ActionIcon } from '@mantine/core';
import IconChevronLeft from '@tabler/icons-react/icons/IconChevronLeft';
import IconChevronRight from '@tabler/icons-react/icons/IconChevronRight';

interface Props {
  readonly index: number;
  readonly count: number;
  readonly onGo: (by: 1 | -1) => void;
  readonly labels: { readonly previous: string; readonly next: string };
  readonly classes: { readonly previous?: string; readonly next?: string };
}

/** The arrows beside a picture; that at an end is disabled. */
export function StepButtons({ index, count, onGo, labels, classes }: Props) {
  return (
    <>
      <ActionIcon
        className={classes.previous ?? ''}
        aria-label={labels.previous}
        disabled={index === 0}
        onClick={() => onGo(-1)}
      >
        <IconChevronLeft aria-hidden />
      </ActionIcon>
      <ActionIcon
        className={classes.next ?? ''}
        aria-label={labels.next}
        disabled={index >= count - 1}
        onClick={() => onGo(1)}
      >
        <IconChevronRight aria-hidden />
      </ActionIcon>
    </>
  );
}
