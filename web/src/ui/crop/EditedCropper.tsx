import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Spinner } from '../Spinner.tsx';
import type { Ratio, Rect } from './crop-rect.ts';
import classes from './PictureCropper.module.css';
import { PictureCropper } from './PictureCropper.tsx';
import type { Edit } from './picture-edit.ts';
import type { EditedPicture } from './use-edited-picture.ts';
import { WholePicture } from './WholePicture.tsx';

interface EditedCropperProps {
  /** Null while it is drawn. */
  readonly picture: EditedPicture | null;
  readonly edit: Edit;
  /** Angle being chosen: the picture turns with it before it is drawn anew. */
  readonly tilting: number | null;
  readonly ratio: Ratio;
  readonly deviceName: string;
  readonly rect: Rect | null;
  readonly area: Rect | null;
  readonly initialArea?: Rect | null;
  readonly ground?: string | null;
  readonly locked: boolean;
  readonly onArea: (area: Rect) => void;
}

/** The cropper of an edited picture; a whole picture is shown on its border, and there is nothing to crop. */
export function EditedCropper({ picture, edit, tilting, onArea, ...rest }: EditedCropperProps) {
  const { t } = useTranslation('upload');
  if (!picture) {
    return (
      <div className={classes.place}>
        <div className={classes.stage}>
          <Spinner />
        </div>
      </div>
    );
  }
  if (edit.border) {
    return (
      <div className={classes.place} data-locked={rest.locked || undefined}>
        <div className={classes.stage}>
          <WholePicture
            url={picture.url}
            ratio={rest.ratio}
            border={edit.border}
            alt={t('tools.wholeOf', { device: rest.deviceName })}
          />
        </div>
        <VisuallyHidden role="status">{t('tools.wholeHint')}</VisuallyHidden>
      </div>
    );
  }
  return (
    <PictureCropper
      key={picture.url}
      {...rest}
      url={picture.url}
      rotation={tilting === null ? 0 : tilting - edit.tilt}
      onArea={(area) => {
        // Areas of a picture that is being turned are those of a picture that nobody gets.
        if (tilting === null) onArea(area);
      }}
    />
  );
}
