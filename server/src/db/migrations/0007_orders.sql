CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"type" integer NOT NULL,
	"name" text NOT NULL,
	"costs" integer NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "orders_type" CHECK ("orders"."type" in (0, 1, 2)),
	CONSTRAINT "orders_costs" CHECK ("orders"."costs" >= 0),
	CONSTRAINT "orders_currency" CHECK ("orders"."currency" ~ '^(points|[A-Z]{3})$')
);
--> statement-breakpoint
ALTER TABLE "media" ADD COLUMN "order_id" uuid;--> statement-breakpoint
-- Every upload that has arrived is an order.
UPDATE "media" SET "order_id" = gen_random_uuid() WHERE "upload_state" = 'stored';--> statement-breakpoint
INSERT INTO "orders" ("id", "owner_id", "type", "name", "costs", "currency", "created_at")
SELECT "order_id", "owner_id", "order_type", "name", 0, 'points', "created_at" FROM "media" WHERE "order_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_list" ON "orders" USING btree ("owner_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "media" ADD CONSTRAINT "media_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "media_order" ON "media" USING btree ("order_id");