const width = 900;
const margin = 60;
const lineHeight = 62;

/**
 * Saves or shares the QR code as a picture that also shows the amount, the payee, the scheme, the reference and
 * the expiry time. Without this script, or if the picture cannot be drawn, the link downloads the bare code.
 */
export function saveQrCard(): void {
  document.addEventListener('click', async (event) => {
    const target = event.target as Element;
    const isShare = target.closest('[data-share]') !== null;
    const link = isShare ? getLink() : target.closest<HTMLAnchorElement>('a[data-card]');
    if (!link) return;
    event.preventDefault();
    const file = await createCard(link).catch(() => undefined);
    if (!file) return download(link.href, link.download);
    // On iOS, a download does not reach the photos from which payment apps read codes; the share sheet does.
    if ((isShare || isIos()) && canShare(file)) await navigator.share({ files: [file] }).catch(() => {});
    else downloadFile(file);
  });
}

/** On iOS, the button is not needed, because the link to save the picture already opens the share sheet. */
export function showShareButton(): void {
  const button = document.querySelector<HTMLElement>('[data-share]');
  if (button) button.hidden = isIos() || !canShare(new File([''], 'x.png', { type: 'image/png' }));
}

function getLink(): HTMLAnchorElement | null {
  return document.querySelector('a[data-card]');
}

function isIos(): boolean {
  return /iP(?:hone|ad)/.test(navigator.userAgent);
}

function canShare(file: File): boolean {
  return 'canShare' in navigator && navigator.canShare({ files: [file] });
}

async function createCard(link: HTMLAnchorElement): Promise<File> {
  const [title = '', amount = '', ...lines] = JSON.parse(link.dataset.card as string) as string[];
  const code = new Image();
  code.src = link.href;
  await code.decode();
  const canvas = document.createElement('canvas');
  const size = width - 2 * margin;
  canvas.width = width;
  canvas.height = margin * 2 + 190 + size + lines.length * lineHeight;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  context.textAlign = 'center';
  const write = (text: string, y: number, font: string) => {
    context.font = `${font} system-ui, sans-serif`;
    context.fillText(text, width / 2, y, size);
  };
  write(title, margin + 40, '40px');
  write(amount, margin + 130, '700 72px');
  context.imageSmoothingEnabled = false;
  context.drawImage(code, margin, margin + 160, size, size);
  lines.forEach((line, i) => {
    write(line, margin + 220 + size + i * lineHeight, '36px');
  });
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (!blob) throw new Error('the picture is too large for the browser');
  return new File([blob], link.download, { type: 'image/png' });
}

function downloadFile(file: File): void {
  const url = URL.createObjectURL(file);
  download(url, file.name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function download(url: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}
