CREATE TABLE "frame_pairings" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_code" text NOT NULL,
	"device_code_hash" text NOT NULL,
	"kind" text NOT NULL,
	"screen_width" integer NOT NULL,
	"screen_height" integer NOT NULL,
	"pixel_ratio" real NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"interval_seconds" integer NOT NULL,
	"polled_at" timestamp (3) with time zone,
	"refused_at" timestamp (3) with time zone,
	"frame_id" uuid,
	"token_given_at" timestamp (3) with time zone,
	CONSTRAINT "frame_pairings_user_code_unique" UNIQUE("user_code"),
	CONSTRAINT "frame_pairings_device_code_hash_unique" UNIQUE("device_code_hash"),
	CONSTRAINT "frame_pairings_frame_id_unique" UNIQUE("frame_id"),
	CONSTRAINT "frame_pairings_decided" CHECK ("frame_pairings"."refused_at" is null or "frame_pairings"."frame_id" is null),
	CONSTRAINT "frame_pairings_given" CHECK ("frame_pairings"."token_given_at" is null or "frame_pairings"."frame_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "frames" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"screen_width" integer NOT NULL,
	"screen_height" integer NOT NULL,
	"pixel_ratio" real NOT NULL,
	"token_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone,
	"version" text,
	CONSTRAINT "frames_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "pairing_misses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "frame_pairings" ADD CONSTRAINT "frame_pairings_frame_id_frames_id_fk" FOREIGN KEY ("frame_id") REFERENCES "public"."frames"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frames" ADD CONSTRAINT "frames_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pairing_misses" ADD CONSTRAINT "pairing_misses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "frame_pairings_expiry" ON "frame_pairings" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "frames_list" ON "frames" USING btree ("owner_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "pairing_misses_user" ON "pairing_misses" USING btree ("user_id","created_at" DESC NULLS LAST);