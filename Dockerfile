# Not tried: written where no container engine was at hand.
FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN node scripts/generate.mjs && chown -R node:node /app
USER node
ENV HOST=0.0.0.0
EXPOSE 4000
CMD ["npm", "start"]
