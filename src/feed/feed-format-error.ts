/** A delivery that cannot be read. The message is shown to the merchant and contains no text of the delivery. */
export class FeedFormatError extends Error {
  override readonly name = 'FeedFormatError';
}
