/** Stands in the built page where each answer puts its own nonce. */
export const noncePlaceholder = '__NONCE__';

/** Stands there for the origin of PUBLIC_URL, where alone a session counts. */
export const originPlaceholder = '__ORIGIN__';

/** Stands there for whether mail is delivered: `on` with a mail server (SMTP_URL), otherwise `off`. */
export const mailPlaceholder = '__MAIL__';
