package shape

// Twitter is the document twitter_status: wide structs of short strings, and
// text in many scripts.
type Twitter struct {
	Statuses []Status `msgpack:"statuses" json:"statuses"`
	Search   Search   `msgpack:"search_metadata" json:"search_metadata"`
}

// Search describes the query whose results are the statuses.
type Search struct {
	CompletedIn   float64 `msgpack:"completed_in" json:"completed_in"`
	MaxID         int64   `msgpack:"max_id" json:"max_id"`
	MaxIDString   string  `msgpack:"max_id_str" json:"max_id_str"`
	NextResults   string  `msgpack:"next_results" json:"next_results"`
	Query         string  `msgpack:"query" json:"query"`
	RefreshURL    string  `msgpack:"refresh_url" json:"refresh_url"`
	Count         int64   `msgpack:"count" json:"count"`
	SinceID       int64   `msgpack:"since_id" json:"since_id"`
	SinceIDString string  `msgpack:"since_id_str" json:"since_id_str"`
}

// Status is one message.
type Status struct {
	Metadata                StatusMeta `msgpack:"metadata" json:"metadata"`
	CreatedAt               string     `msgpack:"created_at" json:"created_at"`
	ID                      int64      `msgpack:"id" json:"id"`
	IDString                string     `msgpack:"id_str" json:"id_str"`
	Text                    string     `msgpack:"text" json:"text"`
	Source                  string     `msgpack:"source" json:"source"`
	Truncated               bool       `msgpack:"truncated" json:"truncated"`
	InReplyToStatusID       *int64     `msgpack:"in_reply_to_status_id" json:"in_reply_to_status_id"`
	InReplyToStatusIDString *string    `msgpack:"in_reply_to_status_id_str" json:"in_reply_to_status_id_str"`
	InReplyToUserID         *int64     `msgpack:"in_reply_to_user_id" json:"in_reply_to_user_id"`
	InReplyToUserIDString   *string    `msgpack:"in_reply_to_user_id_str" json:"in_reply_to_user_id_str"`
	InReplyToScreenName     *string    `msgpack:"in_reply_to_screen_name" json:"in_reply_to_screen_name"`
	User                    User       `msgpack:"user" json:"user"`
	Geo                     *string    `msgpack:"geo" json:"geo"`
	Coordinates             *string    `msgpack:"coordinates" json:"coordinates"`
	Place                   *string    `msgpack:"place" json:"place"`
	Contributors            *string    `msgpack:"contributors" json:"contributors"`
	RetweetCount            int64      `msgpack:"retweet_count" json:"retweet_count"`
	FavoriteCount           int64      `msgpack:"favorite_count" json:"favorite_count"`
	Entities                Entities   `msgpack:"entities" json:"entities"`
	Favorited               bool       `msgpack:"favorited" json:"favorited"`
	Retweeted               bool       `msgpack:"retweeted" json:"retweeted"`
	Lang                    string     `msgpack:"lang" json:"lang"`
	RetweetedStatus         *Status    `msgpack:"retweeted_status" json:"retweeted_status"`
	PossiblySensitive       *bool      `msgpack:"possibly_sensitive" json:"possibly_sensitive"`
}

// StatusMeta is how a Status was found.
type StatusMeta struct {
	ResultType      string `msgpack:"result_type" json:"result_type"`
	IsoLanguageCode string `msgpack:"iso_language_code" json:"iso_language_code"`
}

// Entities contains the parts of a text with a special meaning.
type Entities struct {
	Hashtags     []Hashtag `msgpack:"hashtags" json:"hashtags"`
	Symbols      []Hashtag `msgpack:"symbols" json:"symbols"`
	URLs         []Link    `msgpack:"urls" json:"urls"`
	UserMentions []Mention `msgpack:"user_mentions" json:"user_mentions"`
	Media        []Media   `msg:"media,allownil" msgpack:"media" json:"media"`
}

// Hashtag is a hashtag and its position.
type Hashtag struct {
	Text    string  `msgpack:"text" json:"text"`
	Indices []int64 `msgpack:"indices" json:"indices"`
}

// Link is an address and its position.
type Link struct {
	URL         string  `msgpack:"url" json:"url"`
	ExpandedURL string  `msgpack:"expanded_url" json:"expanded_url"`
	DisplayURL  string  `msgpack:"display_url" json:"display_url"`
	Indices     []int64 `msgpack:"indices" json:"indices"`
}

// Mention is the name of a User and its position.
type Mention struct {
	ScreenName string  `msgpack:"screen_name" json:"screen_name"`
	Name       string  `msgpack:"name" json:"name"`
	ID         int64   `msgpack:"id" json:"id"`
	IDString   string  `msgpack:"id_str" json:"id_str"`
	Indices    []int64 `msgpack:"indices" json:"indices"`
}

// Media is a picture.
type Media struct {
	ID                   int64           `msgpack:"id" json:"id"`
	IDString             string          `msgpack:"id_str" json:"id_str"`
	Indices              []int64         `msgpack:"indices" json:"indices"`
	MediaURL             string          `msgpack:"media_url" json:"media_url"`
	MediaURLHTTPS        string          `msgpack:"media_url_https" json:"media_url_https"`
	URL                  string          `msgpack:"url" json:"url"`
	DisplayURL           string          `msgpack:"display_url" json:"display_url"`
	ExpandedURL          string          `msgpack:"expanded_url" json:"expanded_url"`
	Type                 string          `msgpack:"type" json:"type"`
	Sizes                map[string]Size `msgpack:"sizes" json:"sizes"`
	SourceStatusID       int64           `msgpack:"source_status_id" json:"source_status_id"`
	SourceStatusIDString string          `msgpack:"source_status_id_str" json:"source_status_id_str"`
}

// Size is an available size of a Media.
type Size struct {
	W      int64  `msgpack:"w" json:"w"`
	H      int64  `msgpack:"h" json:"h"`
	Resize string `msgpack:"resize" json:"resize"`
}
