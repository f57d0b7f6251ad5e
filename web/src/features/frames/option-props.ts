import type { FrameOptions } from '@framelift/contract';

/** Props of a field that edits some options of a frame. */
export interface OptionProps {
  readonly options: FrameOptions;
  readonly onChange: (options: Partial<FrameOptions>) => void;
}
