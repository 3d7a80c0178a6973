import classes from './raw-text.module.css';

/** Text as a machine wrote it, in a box that scrolls; by keyboard too. */
export function RawText({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section aria-label={label} tabIndex={0} className={classes.box}>
      <pre className={classes.text}>{children}</pre>
    </section>
  );
}
