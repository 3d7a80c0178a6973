import { Controller, HttpCode, Inject, Post, Req, UnauthorizedException } from '@nestjs/common';
import { CausewayError, verifyWebhook, type WebhookEvent } from 'causeway-client';
import { orderPrefix } from './handler.ts';
import { getConnection } from './options.ts';
import type { RawRequest } from './raw-body.ts';
import { SettleService } from './settle.service.ts';

export const webhookPath = 'payments/causeway';

/**
 * Receives the notifications of Causeway. Responds after the commit, so that Causeway retries a notification that
 * failed.
 */
@Controller(webhookPath)
export class WebhookController {
  @Inject(SettleService) private readonly settleService!: SettleService;

  @Post()
  @HttpCode(204)
  async receive(request: RawRequest): Promise<void> {
    const { payload } = await verify(request);
    const { notifyPayload } = payload as { notifyPayload?: string };
    // Other notifications of the same merchant do not concern Vendure.
    if (!notifyPayload?.startsWith(orderPrefix)) return;
    await this.settleService.settleOrder(notifyPayload.slice(orderPrefix.length));
  }
}

// The linter cannot parse decorators of parameters.
Req()(WebhookController.prototype, 'receive', 0);

async function verify({ rawBody, headers }: RawRequest): Promise<WebhookEvent> {
  const secret = getConnection().options.webhookSecret;
  try {
    return await verifyWebhook({ body: rawBody, headers: headers as Record<string, string>, secret });
  } catch (error) {
    if (error instanceof CausewayError) throw new UnauthorizedException(error.message);
    throw error;
  }
}
