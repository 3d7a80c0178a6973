/** The nonce with which the content security policy allows style elements that are created at run time. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
