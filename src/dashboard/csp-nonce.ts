/** Lets the style elements that are made while the page runs through the content security policy. */
export const cspNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
