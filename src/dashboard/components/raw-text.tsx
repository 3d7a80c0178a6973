import classes from './raw-text.module.css';

/** Shows machine-readable text in a box that scrolls, also by keyboard. */
export function RawText({ label, children }: { label: string; children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard.
    <section aria-label={label} tabIndex={0} className={classes.box}>
      <pre className={classes.text}>{children}</pre>
    </section>
  );
}
