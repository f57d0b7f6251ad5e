import classes from './Logo.module.css';

/** The mark: a picture lifted out of its frame, in the red and cyan of 3D glasses. */
export function Logo({ name = true }: { name?: boolean }) {
  return (
    <span className={classes.logo}>
      <svg viewBox="0 0 36 36" className={classes.mark} aria-hidden="true">
        <path d="M3 12h21v21H3z" className={classes.frame} />
        <path d="M12 3h21v21H12z" className={classes.lifted} />
      </svg>
      {name && <span className={classes.name}>Framelift</span>}
    </span>
  );
}
