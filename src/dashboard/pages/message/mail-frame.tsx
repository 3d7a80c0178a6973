import { useMemo } from 'react';
import { nonce } from '../../nonce.ts';
import classes from './mail-frame.module.css';

/**
 * A mail as its reader would see it, in a frame without scripts, forms and origin. The frame takes over this page's
 * content security policy: nothing in it is loaded, and its style element gets this page's nonce. Links open a new tab.
 */
export function MailFrame({ html, title }: { html: string; title: string }) {
  const shown = useMemo(
    () =>
      html
        .replace('<style>', `<style nonce="${nonce}">`)
        .replaceAll('<a href=', '<a target="_blank" rel="noopener noreferrer" href='),
    [html],
  );
  return (
    <iframe
      className={classes.frame}
      title={title}
      srcDoc={shown}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
    />
  );
}
