/** Thrown for an invalid delivery or key of a bank. The message is shown to the merchant and never quotes the input. */
export class FeedInputError extends Error {
  override readonly name = 'FeedInputError';
}
