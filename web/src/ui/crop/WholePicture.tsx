import type { CSSProperties } from 'react';
import type { Ratio } from './crop-rect.ts';
import type { Border } from './picture-edit.ts';
import classes from './WholePicture.module.css';

/** A whole picture in a frame of another shape, on its border, as it will be converted. Fills its place, which is positioned. */
export function WholePicture({
  url,
  ratio,
  border,
  alt,
}: {
  readonly url: string;
  readonly ratio: Ratio;
  readonly border: Border;
  readonly alt: string;
}) {
  return (
    <div className={classes.place}>
      <div
        className={classes.frame}
        style={{ '--ratio': ratio[0] / ratio[1], ...(border !== 'blur' && { background: border }) } as CSSProperties}
      >
        {border === 'blur' && <img className={classes.blurred} src={url} alt="" />}
        <img className={classes.whole} src={url} alt={alt} />
      </div>
    </div>
  );
}
